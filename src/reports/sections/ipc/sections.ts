import type { IpcRecord, IpcTestName, IpcTestRecord } from "../../../model/records/ipc.ts";
import { oneLine } from "../../escape.ts";
import { formatBytes } from "../../units.ts";

/** A test on a dataset: a part of a report. */
export interface Section {
  readonly test: IpcTestName;
  readonly dataset: string;
  readonly ways: readonly Way[];
}

/** The codecs that were measured alike: as many messages of one size, sent in one way. */
export interface Way {
  readonly description: string;
  readonly rows: readonly IpcTestRecord[];
}

/** The tests of a record by test, dataset and way, in the order of the record. */
export function sectionsOf(record: IpcRecord): Section[] {
  return groups(record.tests, ({ test, dataset }) => [test, dataset]).map((tests) => ({
    test: tests[0]!.test,
    dataset: tests[0]!.dataset,
    ways: groups(tests, wayKey).map((rows) => ({ description: describe(rows[0]!), rows })),
  }));
}

/** Whether two rows were measured alike. */
export function measuredAlike(one: IpcTestRecord, other: IpcTestRecord): boolean {
  return JSON.stringify(wayKey(one)) === JSON.stringify(wayKey(other));
}

/** The rows that have numbers. */
export function measured(rows: readonly IpcTestRecord[]): IpcTestRecord[] {
  return rows.filter(({ status }) => status === "measured");
}

/** Holes and failures, a line each with its reason. */
export function refusalsOf(rows: readonly IpcTestRecord[]): string[] {
  const refused = rows.filter(({ status }) => status !== "measured");
  return refused.map(({ codec, status, reason }) =>
    oneLine(`${codec}: ${status}: ${reason ?? "without a reason"}`),
  );
}

function groups<T>(items: readonly T[], key: (item: T) => readonly unknown[]): T[][] {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const name = JSON.stringify(key(item));
    const group = found.get(name);
    if (group === undefined) found.set(name, [item]);
    else group.push(item);
  }
  return [...found.values()];
}

function wayKey(row: IpcTestRecord): readonly unknown[] {
  const { transport, scope, reliability, depth, rateHz, messages, warmup, payloadBytes } = row;
  return [transport, scope, reliability, depth, rateHz ?? null, messages, warmup, payloadBytes];
}

function describe(row: IpcTestRecord): string {
  const { transport, scope, reliability, depth, rateHz, messages, warmup, payloadBytes } = row;
  const count = messages === 1 ? "1 message" : `${formatBytes(messages)} messages`;
  return oneLine(
    [
      `${count} per talker${warmup === 0 ? ", no warm-up" : ` after ${formatBytes(warmup)} of warm-up`}`,
      `${formatBytes(payloadBytes)} bytes of payload`,
      reliability === "reliable"
        ? `reliable, ${depth} on the way at most`
        : `best effort, queues keep ${depth}`,
      rateHz === undefined ? "each sent as soon as it may be" : `${rateHz} per second and talker`,
      `${transport}, ${scope}`,
    ].join("; "),
  );
}
