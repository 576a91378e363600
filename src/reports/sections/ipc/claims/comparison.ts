import type { IpcRecord, IpcTestName, IpcTestRecord } from "../../../../model/records/ipc.ts";
import { formatMegabytes } from "../figures.ts";
import { measuredAlike } from "../sections.ts";

/** The codecs that stand for the published libraries. */
export const CODECS = { capnp: "capnp-ts", protobuf: "protobufjs" } as const;

/** Two rows that were measured alike. */
export interface Comparison {
  readonly capnp: IpcTestRecord;
  readonly protobuf: IpcTestRecord;
}

/** Which rows are looked for. */
export interface Wanted {
  readonly test: IpcTestName;
  /** Name of the dataset, without a size. */
  readonly dataset: string;
  /** Which of the rows will do; all where it is absent. */
  fits?(row: IpcTestRecord): boolean;
  /** What a codec's rows lack, none of which will do. */
  lack?(rows: readonly IpcTestRecord[]): string;
}

/** How far a message may be from a published size, as a share, to be of that size. */
const SIZE_TOLERANCE = 0.1;

/** The rows of both codecs, or why there is no comparing them. */
export function compare(record: IpcRecord, wanted: Wanted): Comparison | string {
  const { test, dataset, fits = () => true } = wanted;
  const rows = record.tests.filter((row) => row.test === test && baseName(row) === dataset);
  if (rows.length === 0) return `the test was not made on ${dataset}`;
  const capnp = usable(rows, CODECS.capnp, wanted);
  if (typeof capnp === "string") return capnp;
  const protobuf = usable(rows, CODECS.protobuf, wanted);
  if (typeof protobuf === "string") return protobuf;
  for (const one of capnp) {
    const other = protobuf.find((row) => row.dataset === one.dataset && measuredAlike(one, row));
    if (other !== undefined) return { capnp: one, protobuf: other };
  }
  return `${CODECS.capnp} and ${CODECS.protobuf} were not measured alike`;

  function usable(all: typeof rows, codec: string, { lack }: Wanted): IpcTestRecord[] | string {
    const own = all.filter((row) => row.codec === codec);
    const fitting = own.filter(fits);
    if (own[0] === undefined) return `${codec} was not measured`;
    if (fitting[0] === undefined) return lack?.(own) ?? `${codec} was measured in another way`;
    const told = fitting.filter(({ status }) => status === "measured");
    if (told.length === 0) return `${codec}: ${fitting[0].status}: ${fitting[0].reason ?? ""}`;
    const between = told.filter(({ scope }) => scope === "inter-process");
    return between.length > 0 ? between : `${codec} was measured between threads, not between processes`;
  }
}

/** Whether a row's messages have a published size, in MB. */
export function isOfSize({ payloadBytes }: IpcTestRecord, megabytes: number): boolean {
  return Math.abs(payloadBytes / 1e6 - megabytes) <= SIZE_TOLERANCE * megabytes;
}

/** That the messages of some rows have other sizes than the published ones. */
export function otherSize(rows: readonly IpcTestRecord[], megabytes: number): string {
  const sizes = [...new Set(rows.map(({ payloadBytes }) => formatMegabytes(payloadBytes)))].join(" and ");
  return `messages are of ${sizes}, the published ones of ${megabytes} MB`;
}

/** The dataset's name without a size. */
export function baseName({ dataset }: Pick<IpcTestRecord, "dataset">): string {
  return dataset.split(":")[0]!;
}
