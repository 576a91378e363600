import {
  CLAIM_DATASETS,
  type ClaimOutcome,
  claimOutcomes,
  isComparable,
} from "../../../analysis/claims/claims.ts";
import { CODECS, FEWEST, isOfSize } from "../../../analysis/claims/evidence.ts";
import { PUBLISHED_IPC } from "../../../analysis/claims/published.ts";
import { baseName, measuredAlike, measuredTests } from "../../../analysis/ipc-tests.ts";
import type { IpcRecord, IpcTestRecord } from "../../../model/records/ipc.ts";
import { bulletList, oneLine } from "../../escape.ts";
import { left, markdownTable, right, type Table, tableOf } from "../../table.ts";
import { formatMegabytes, formatMillis, formatNanos, formatRatio } from "../../units.ts";
import { CLAIM_RULES, claimWords, STATEMENTS } from "./claims.ts";

/**
 * The published figures beside those of a record, and what becomes of each claim, as blocks of Markdown. Empty where the
 * record has neither of the codecs on a dataset of the published sizes.
 */
export function publishedSection(record: IpcRecord): string[] {
  if (!isComparable(record)) return [];
  return [
    "## Published figures beside ours",
    "The published figures are of C++ programs, ours of JavaScript on the machine above. What can be compared is the order and the ratios, not the times.",
    markdownTable(latencyBeside(record)),
    "The published drops are of 100 messages, at a pace and with queues that were not said; each of ours is per talker and listener.",
    markdownTable(fanOutBeside(record)),
    "### Whether the claims hold",
    claimsList(claimOutcomes(record)),
    `A claim holds, or does not, where the numbers leave no doubt. It cannot be told where one of them is missing, where there are fewer than ${FEWEST} messages, or where chance may have made the difference:`,
    ...bulletList(CLAIM_RULES),
  ];
}

/** What becomes of each claim, in a line each; none where {@link publishedSection} is empty. */
export function claimLines(record: IpcRecord): string[] {
  if (!isComparable(record)) return [];
  return claimOutcomes(record).map((found) =>
    oneLine(`${claimWords(found).outcome} (${found.dataset}): ${STATEMENTS[found.claim]}`),
  );
}

function claimsList(outcomes: readonly ClaimOutcome[]): string {
  const claims = [...new Set(outcomes.map(({ claim }) => claim))];
  return claims
    .map((claim) => {
      const own = outcomes.filter((found) => found.claim === claim);
      return [`- ${oneLine(STATEMENTS[claim])}`, ...own.map(claimLine)].join("\n");
    })
    .join("\n");
}

function claimLine(found: ClaimOutcome): string {
  const { outcome, because, stage } = claimWords(found);
  const stages = stage === undefined ? "" : ` Stages: ${stage}.`;
  return `  - ${oneLine(`${found.dataset}: **${outcome}**: ${because}.${stages}`)}`;
}

/** The published latencies beside those of a record. */
function latencyBeside(record: IpcRecord): Table {
  type Row = readonly [where: string, size: string, capnp: string, protobuf: string, ratio: string];
  const { megabytes, x86_64, aarch64 } = PUBLISHED_IPC.latency;
  const published = Object.entries({ x86_64, aarch64 }).map(
    ([where, { capnpMs, protobufMs }]): Row => [
      `published, ${where}`,
      `${megabytes} MB`,
      milliseconds(capnpMs),
      milliseconds(protobufMs),
      formatRatio(capnpMs / protobufMs),
    ],
  );
  const here = beside(record, "latency").map(({ dataset, capnp, protobuf }): Row => {
    const [one, other] = [capnp?.stages.endToEnd?.p50, protobuf?.stages.endToEnd?.p50];
    return [
      `here, ${dataset}, median`,
      sizeOf(capnp ?? protobuf),
      one === undefined ? "–" : formatNanos(one),
      other === undefined ? "–" : formatNanos(other),
      one === undefined || other === undefined || other === 0 ? "" : formatRatio(one / other),
    ];
  });
  return tableOf<Row>(
    [...published, ...here],
    [
      left("latency", ([where]) => where),
      right("message", ([, size]) => size),
      right("Cap'n Proto", ([, , capnp]) => capnp),
      right("Protobuf", ([, , , protobuf]) => protobuf),
      right("ratio", ([, , , , ratio]) => ratio),
    ],
  );
}

/** What was lost and how long all took, published or measured here: a row. */
interface FanOutRow {
  readonly test: string;
  readonly where: string;
  readonly size: string;
  readonly capnp: LossAndTime;
  readonly protobuf: LossAndTime;
}

interface LossAndTime {
  readonly dropped: string;
  readonly total: string;
}

/** The published drops and totals of one-to-two and two-to-one beside those of a record at the same sizes. */
function fanOutBeside(record: IpcRecord): Table {
  const rows = PUBLISHED_IPC.fanOut.flatMap(({ test, megabytes, messages, capnp, protobuf }): FanOutRow[] => {
    const published = ({ dropped, totalMs }: typeof capnp | typeof protobuf): LossAndTime => ({
      dropped: `${dropped} of ${messages}`,
      total: totalMs.map(milliseconds).join(", "),
    });
    const here = beside(record, test).flatMap(({ dataset, capnp: one, protobuf: other }): FanOutRow[] => {
      const any = one ?? other;
      if (any === undefined || !isOfSize(any, megabytes)) return [];
      const where = `here, ${dataset}, ${any.reliability}`;
      return [{ test, where, size: sizeOf(any), capnp: measured(one), protobuf: measured(other) }];
    });
    const size = `${megabytes} MB`;
    return [
      { test, where: "published", size, capnp: published(capnp), protobuf: published(protobuf) },
      ...here,
    ];
  });
  return tableOf(rows, [
    left("test", ({ test }) => test),
    left("where", ({ where }) => where),
    right("message", ({ size }) => size),
    right("Cap'n Proto dropped", ({ capnp }) => capnp.dropped),
    right("Protobuf dropped", ({ protobuf }) => protobuf.dropped),
    right("Cap'n Proto total", ({ capnp }) => capnp.total),
    right("Protobuf total", ({ protobuf }) => protobuf.total),
  ]);
}

interface Beside {
  readonly dataset: string;
  readonly capnp: IpcTestRecord | undefined;
  readonly protobuf: IpcTestRecord | undefined;
}

/** Rows of both codecs that were measured alike; one may be absent. */
function beside(record: IpcRecord, test: string): Beside[] {
  const names: readonly string[] = CLAIM_DATASETS;
  const rows = measuredTests(record.tests).filter(
    (row) => row.test === test && names.includes(baseName(row)),
  );
  const capnp = rows.filter(({ codec }) => codec === CODECS.capnp);
  const protobuf = rows.filter(({ codec }) => codec === CODECS.protobuf);
  const match = (one: IpcTestRecord, all: readonly IpcTestRecord[]): IpcTestRecord | undefined =>
    all.find((row) => row.dataset === one.dataset && measuredAlike(one, row));
  return [
    ...capnp.map((one) => ({ dataset: one.dataset, capnp: one, protobuf: match(one, protobuf) })),
    ...protobuf
      .filter((one) => match(one, capnp) === undefined)
      .map((one) => ({ dataset: one.dataset, capnp: undefined, protobuf: one })),
  ];
}

/** As it was published. */
function milliseconds(value: number): string {
  return `${value.toLocaleString("en-US", { maximumFractionDigits: 3 })} ms`;
}

function sizeOf(row: IpcTestRecord | undefined): string {
  return row === undefined ? "" : formatMegabytes(row.payloadBytes);
}

/** What a test lost and took, by its pairs. */
function measured(row: IpcTestRecord | undefined): LossAndTime {
  if (row === undefined) return { dropped: "–", total: "–" };
  const dropped = row.pairs.map(({ published, received }) => published - received);
  return {
    dropped: `${dropped.join(", ")} of ${row.messages}`,
    total: row.pairs.map(({ totalMs }) => formatMillis(totalMs)).join(", "),
  };
}
