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
import { type Column, left, markdownTable, right, type Table, tableOf } from "../../table.ts";
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

/** What was published of both codecs, or measured here: a row. */
interface LatencyRow {
  readonly where: string;
  readonly size: string;
  readonly capnp: string;
  readonly protobuf: string;
  readonly ratio: string;
}

/** The published latencies beside those of a record. */
function latencyBeside(record: IpcRecord): Table {
  const { megabytes, x86_64, aarch64 } = PUBLISHED_IPC.latency;
  const published = [
    { where: "published, x86_64", ...x86_64 },
    { where: "published, aarch64", ...aarch64 },
  ].map(
    ({ where, capnpMs, protobufMs }): LatencyRow => ({
      where,
      size: `${megabytes} MB`,
      capnp: milliseconds(capnpMs),
      protobuf: milliseconds(protobufMs),
      ratio: formatRatio(capnpMs / protobufMs),
    }),
  );
  const here = beside(record, "latency").map(({ dataset, capnp, protobuf }): LatencyRow => {
    const [one, other] = [capnp?.stages.endToEnd?.p50, protobuf?.stages.endToEnd?.p50];
    return {
      where: `here, ${dataset}, median`,
      size: sizeOf(capnp ?? protobuf),
      capnp: one === undefined ? "–" : formatNanos(one),
      protobuf: other === undefined ? "–" : formatNanos(other),
      ratio: one === undefined || other === undefined || other === 0 ? "" : formatRatio(one / other),
    };
  });
  return tableOf<LatencyRow>(
    [...published, ...here],
    [
      left("latency", ({ where }) => where),
      right("message", ({ size }) => size),
      right("Cap'n Proto", ({ capnp }) => capnp),
      right("Protobuf", ({ protobuf }) => protobuf),
      right("ratio", ({ ratio }) => ratio),
    ],
  );
}

/** What was lost, and how long all took, with both codecs: a row. */
interface FanOutRow {
  readonly test: string;
  readonly where: string;
  readonly size: string;
  readonly dropped: readonly [capnp: string, protobuf: string];
  readonly total: readonly [capnp: string, protobuf: string];
}

/** The published drops and totals of one-to-two and two-to-one beside those of a record at the same sizes. */
function fanOutBeside(record: IpcRecord): Table {
  const rows = PUBLISHED_IPC.fanOut.flatMap(({ test, megabytes, messages, capnp, protobuf }): FanOutRow[] => [
    {
      test,
      where: "published",
      size: `${megabytes} MB`,
      dropped: [`${capnp.dropped} of ${messages}`, `${protobuf.dropped} of ${messages}`],
      total: [capnp.totalMs.map(milliseconds).join(", "), protobuf.totalMs.map(milliseconds).join(", ")],
    },
    ...beside(record, test).flatMap(({ dataset, capnp: one, protobuf: other }): FanOutRow[] => {
      const any = one ?? other;
      if (any === undefined || !isOfSize(any, megabytes)) return [];
      return [
        {
          test,
          where: `here, ${dataset}, ${any.reliability}`,
          size: sizeOf(any),
          dropped: [droppedOf(one), droppedOf(other)],
          total: [totalsOf(one), totalsOf(other)],
        },
      ];
    }),
  ]);
  const columns: readonly Column<FanOutRow>[] = [
    left("test", ({ test }) => test),
    left("where", ({ where }) => where),
    right("message", ({ size }) => size),
    right("Cap'n Proto dropped", ({ dropped }) => dropped[0]),
    right("Protobuf dropped", ({ dropped }) => dropped[1]),
    right("Cap'n Proto total", ({ total }) => total[0]),
    right("Protobuf total", ({ total }) => total[1]),
  ];
  return tableOf(rows, columns);
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

function droppedOf(row: IpcTestRecord | undefined): string {
  if (row === undefined) return "–";
  const dropped = row.pairs.map(({ published, received }) => published - received);
  return `${dropped.join(", ")} of ${row.messages}`;
}

function totalsOf(row: IpcTestRecord | undefined): string {
  return row === undefined ? "–" : row.pairs.map(({ totalMs }) => formatMillis(totalMs)).join(", ");
}
