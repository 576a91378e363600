import type { IpcRecord, IpcTestRecord } from "../../../model/records/ipc.ts";
import type { Table } from "../../table.ts";
import { formatNanos, formatRatio } from "../../units.ts";
import { baseName, CODECS, isOfSize } from "./claims/comparison.ts";
import { DATASETS } from "./claims/verdicts.ts";
import { left, right } from "./columns.ts";
import { formatMegabytes, formatMillis } from "./figures.ts";
import { PUBLISHED } from "./published.ts";
import { measured, measuredAlike } from "./sections.ts";

/** The published latencies beside those of a record. */
export function latencyBeside(record: IpcRecord): Table {
  const { megabytes, x86_64, aarch64 } = PUBLISHED.latency;
  const published = [
    { where: "published, x86_64", ...x86_64 },
    { where: "published, aarch64", ...aarch64 },
  ].map(({ where, capnpMs, protobufMs }) => [
    where,
    `${megabytes} MB`,
    milliseconds(capnpMs),
    milliseconds(protobufMs),
    formatRatio(capnpMs / protobufMs),
  ]);
  const here = beside(record, "latency").map(({ dataset, capnp, protobuf }) => {
    const [one, other] = [capnp?.stages.endToEnd?.p50, protobuf?.stages.endToEnd?.p50];
    return [
      `here, ${dataset}, median`,
      sizeOf(capnp ?? protobuf),
      one === undefined ? "–" : formatNanos(one),
      other === undefined ? "–" : formatNanos(other),
      one === undefined || other === undefined || other === 0 ? "" : formatRatio(one / other),
    ];
  });
  return {
    columns: [...left("latency"), ...right("message", "Cap'n Proto", "Protobuf", "ratio")],
    rows: [...published, ...here],
  };
}

/** The published drops and totals of one-to-two and two-to-one beside those of a record at the same sizes. */
export function fanOutBeside(record: IpcRecord): Table {
  return {
    columns: [
      ...left("test", "where"),
      ...right("message", "Cap'n Proto dropped", "Protobuf dropped", "Cap'n Proto total", "Protobuf total"),
    ],
    rows: PUBLISHED.fanOut.flatMap(({ test, megabytes, messages, capnp, protobuf }) => [
      [
        test,
        "published",
        `${megabytes} MB`,
        ...[capnp, protobuf].map(({ dropped }) => `${dropped} of ${messages}`),
        ...[capnp, protobuf].map(({ totalMs }) => totalMs.map(milliseconds).join(", ")),
      ],
      ...beside(record, test)
        .filter(({ capnp: one, protobuf: other }) => isOfSize((one ?? other)!, megabytes))
        .map(({ dataset, capnp: one, protobuf: other }) => [
          test,
          `here, ${dataset}, ${(one ?? other)!.reliability}`,
          sizeOf(one ?? other),
          ...[one, other].map(droppedOf),
          ...[one, other].map(totalsOf),
        ]),
    ]),
  };
}

interface Beside {
  readonly dataset: string;
  readonly capnp: IpcTestRecord | undefined;
  readonly protobuf: IpcTestRecord | undefined;
}

/** Rows of both codecs that were measured alike; one may be absent. */
function beside(record: IpcRecord, test: string): Beside[] {
  const names: readonly string[] = DATASETS;
  const rows = measured(record.tests).filter((row) => row.test === test && names.includes(baseName(row)));
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
