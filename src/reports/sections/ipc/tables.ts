import {
  latePace,
  measuredTests,
  memoryGrowth,
  STAGES,
  type Stage,
  steadyHandling,
} from "../../../analysis/ipc-tests.ts";
import type {
  IpcPair,
  IpcPercentiles,
  IpcProcess,
  IpcStages,
  IpcTestRecord,
} from "../../../model/records/ipc.ts";
import { formatShare } from "../../../model/share.ts";
import { oneLine } from "../../escape.ts";
import { type Column, left, right, type Table, tableOf, tableOfAny } from "../../table.ts";
import {
  formatBytes,
  formatCount,
  formatDifference,
  formatGrowth,
  formatMegabytes,
  formatMillis,
  formatNanos,
  formatRatio,
  formatSpeed,
} from "../../units.ts";

/** A time; nothing where there is none. */
export function timeText(nanos: number | undefined): string {
  return nanos === undefined ? "" : formatNanos(nanos);
}

/** The median, or where there are too few messages for one the greatest, which says so. */
export function middleOrMost(times: IpcPercentiles | undefined): string {
  if (times?.p50 !== undefined) return formatNanos(times.p50);
  return times?.max === undefined ? "" : `max ${formatNanos(times.max)}`;
}

/** What became of the messages of each codec, over all pairs, and how long they took; p99.9 where one has it. */
export function messageTable(tests: readonly IpcTestRecord[]): Table {
  const rare = tests.some(({ stages }) => stages.endToEnd?.p999 !== undefined);
  const time = (heading: string, of: (times: IpcPercentiles) => number | undefined): Column<IpcTestRecord> =>
    right(heading, ({ status, stages }) =>
      status === "measured" ? timeText(of(stages.endToEnd ?? { n: 0 })) : "",
    );
  return tableOf(tests, [
    left("codec", ({ codec }) => codec),
    right("payload", ({ payloadBytes }) => formatBytes(payloadBytes)),
    right("encoded", ({ status, encodedBytes }) => (status === "measured" ? formatBytes(encodedBytes) : "")),
    ...fateColumns<IpcTestRecord>(({ status, pairs }) => (status === "measured" ? pairs : status)),
    time("p50", ({ p50 }) => p50),
    time("p90", ({ p90 }) => p90),
    time("p99", ({ p99 }) => p99),
    ...(rare ? [time("p99.9", ({ p999 }) => p999)] : []),
    time("max", ({ max }) => max),
  ]);
}

/**
 * What became of messages: received of published, and the drops by place.
 * @param pairsOf the pairs of a row, or a word that stands in their place
 */
function fateColumns<Row>(pairsOf: (row: Row) => readonly IpcPair[] | string): Column<Row>[] {
  const sum = (heading: string, text: (total: (of: (pair: IpcPair) => number) => string) => string) =>
    right<Row>(heading, (row) => {
      const pairs = pairsOf(row);
      if (typeof pairs === "string") return heading === "received" ? pairs : "";
      return text((of) => formatCount(pairs.reduce((total, pair) => total + of(pair), 0)));
    });
  return [
    sum(
      "received",
      (total) => `${total(({ received }) => received)} of ${total(({ published }) => published)}`,
    ),
    sum("dropped: sender", (total) => total(({ drops }) => drops.sender)),
    sum("overwritten", (total) => total(({ drops }) => drops.overwritten)),
    sum("receiver", (total) => total(({ drops }) => drops.receiver)),
  ];
}

/**
 * Where the time of each codec's messages went: the median of each stage, or where there is none its maximum, which
 * says so, and its share of the four. Undefined where nothing was measured.
 */
export function stageTable(tests: readonly IpcTestRecord[]): Table | undefined {
  return tableOfAny(measuredTests(tests), [
    left("codec", ({ codec }) => codec),
    ...STAGES.flatMap((stage) => [
      right<IpcTestRecord>(stage, ({ stages }) => middleOrMost(stages[stage])),
      right<IpcTestRecord>("%", ({ stages }) => stageShare(stages, stage)),
    ]),
    right("response", ({ stages }) => middleOrMost(stages.response)),
    right("response p99", ({ stages }) => timeText(stages.response?.p99)),
    right("response max", ({ stages }) => timeText(stages.response?.max)),
  ]);
}

function stageShare(stages: IpcStages, stage: Stage): string {
  const figure = (one: Stage): number | undefined => stages[one]?.p50 ?? stages[one]?.max;
  const total = STAGES.reduce((sum, one) => sum + (figure(one) ?? 0), 0);
  const own = figure(stage);
  return own === undefined || total === 0 ? "" : formatShare(own / total);
}

/** What arrived per second, of each codec that has a throughput; undefined where none has. */
export function throughputTable(tests: readonly IpcTestRecord[]): Table | undefined {
  const known = tests.flatMap(({ codec, throughput }) =>
    throughput === undefined ? [] : [{ codec, ...throughput }],
  );
  return tableOfAny(known, [
    left("codec", ({ codec }) => codec),
    right("messages/s", ({ messagesPerSecond }) => formatCount(messagesPerSecond)),
    right("payload MB/s", ({ payloadBytesPerSecond }) => formatSpeed(payloadBytesPerSecond)),
    right("encoded MB/s", ({ encodedBytesPerSecond }) => formatSpeed(encodedBytesPerSecond)),
    right("of memcpy", ({ shareOfMemcpy }) => formatShare(shareOfMemcpy)),
  ]);
}

/**
 * What became of each talker's messages to each listener, and its median as a multiple of the quickest pair's.
 * Undefined where every codec has one pair alone.
 */
export function pairTable(tests: readonly IpcTestRecord[]): Table | undefined {
  const measured = measuredTests(tests);
  if (!measured.some(({ pairs }) => pairs.length > 1)) return undefined;
  const rows = measured.flatMap(({ codec, pairs }) => {
    const quickest = Math.min(...pairs.flatMap(({ endToEnd }) => endToEnd.p50 ?? []));
    return pairs.map((pair) => ({ codec, pair, quickest }));
  });
  return tableOf(rows, [
    left("codec", ({ codec }) => codec),
    right("talker", ({ pair }) => String(pair.talker)),
    right("listener", ({ pair }) => String(pair.listener)),
    ...fateColumns<(typeof rows)[number]>(({ pair }) => [pair]),
    right("total", ({ pair }) => formatMillis(pair.totalMs)),
    right("out of order", ({ pair }) => formatCount(pair.outOfOrder)),
    right("p50", ({ pair }) => timeText(pair.endToEnd.p50)),
    right("p90", ({ pair }) => timeText(pair.endToEnd.p90)),
    right("max", ({ pair }) => timeText(pair.endToEnd.max)),
    right("× quickest", ({ pair: { endToEnd }, quickest }) =>
      endToEnd.p50 === undefined || quickest === 0 ? "" : formatRatio(endToEnd.p50 / quickest),
    ),
  ]);
}

/** How unlike the talkers of each codec were served, in a sentence; none where there is one talker each. */
export function unfairnessText(tests: readonly IpcTestRecord[]): string[] {
  const known = tests.flatMap(({ codec, unfairness }) =>
    unfairness === undefined ? [] : [`${codec} ${formatRatio(unfairness)}`],
  );
  if (known.length === 0) return [];
  return [
    oneLine(`Unfairness, the slowest talker's median as a multiple of the quickest's: ${known.join(", ")}.`),
  ];
}

/** How end-to-end times and memory moved, per 1,000 messages; undefined where no codec's drift is known. */
export function driftTable(tests: readonly IpcTestRecord[]): Table | undefined {
  const known = measuredTests(tests).flatMap(({ codec, drift, processes }) =>
    drift === undefined ? [] : [{ codec, drift, processes }],
  );
  const growth = (heading: string, role: IpcProcess["role"]) =>
    right<(typeof known)[number]>(heading, ({ processes }) =>
      processes
        .filter((process) => process.role === role)
        .flatMap((process) => memoryGrowth(process) ?? [])
        .map(formatGrowth)
        .join(", "),
    );
  return tableOfAny(known, [
    left("codec", ({ codec }) => codec),
    right("drift per 1,000", ({ drift }) => formatDifference(drift.slopePer1000)),
    right("95 % interval", ({ drift }) => drift.ci95.map(formatDifference).join(" to ")),
    right("first tenth", ({ drift }) => formatNanos(drift.firstDecile)),
    right("last tenth", ({ drift }) => formatNanos(drift.lastDecile)),
    growth("memory per 1,000: talker", "talker"),
    growth("listener", "listener"),
  ]);
}

/** What is unsupported or failed, and which codecs did not keep the pace that was asked for: a line each. */
export function testNotes(tests: readonly IpcTestRecord[]): string[] {
  const refused = tests.filter(({ status }) => status !== "measured");
  const late = measuredTests(tests).flatMap((test) => {
    const kept = latePace(test);
    return kept === undefined || test.rateHz === undefined
      ? []
      : [
          `${test.codec} did not keep the pace: ${formatCount(Math.round(kept))} of ${formatCount(test.rateHz)} messages per second`,
        ];
  });
  return [
    ...refused.map(({ codec, status, reason }) => `${codec}: ${status}: ${reason ?? "without a reason"}`),
    ...late,
  ].map(oneLine);
}

/** A process of a test: a row. */
interface Row {
  readonly test: IpcTestRecord;
  readonly process: IpcProcess;
}

/** What starting, the first message and each further one took a process; undefined where nothing was measured. */
export function singlePointTable(tests: readonly IpcTestRecord[]): Table | undefined {
  return processesTable(tests, [
    right("start", ({ process }) => formatMillis(process.startMs)),
    right("bind", ({ process }) => formatMillis(process.bindMs)),
    right("connect", ({ process }) => formatMillis(process.connectMs)),
    right("first message", ({ process }) => timeText(process.firstHandling)),
    right("each further", ({ process, test }) => timeText(steadyHandling(process, test))),
    right("all", ({ process }) => formatMillis(process.handlingMs)),
  ]);
}

/** What each process took of the machine while messages counted; undefined where nothing was measured. */
export function processTable(tests: readonly IpcTestRecord[]): Table | undefined {
  return processesTable(tests, [
    right("CPU user", ({ process }) => formatMillis(process.cpuMs.user)),
    right("system", ({ process }) => formatMillis(process.cpuMs.system)),
    right("handling", ({ process }) => formatMillis(process.handlingMs)),
    right("memory before", ({ process }) => formatMegabytes(process.rssBytes.start)),
    right("after", ({ process }) => formatMegabytes(process.rssBytes.end)),
    right("peak", ({ process }) => formatMegabytes(process.rssBytes.peak)),
    right("collections", ({ process }) => formatCount(process.gc.count)),
    right("all", ({ process }) => formatMillis(process.gc.totalMs)),
    right("longest", ({ process }) => formatMillis(process.gc.longestMs)),
    right("stalled", ({ process }) => formatMillis(process.stalledMs)),
  ]);
}

function processesTable(tests: readonly IpcTestRecord[], figures: readonly Column<Row>[]): Table | undefined {
  const rows = measuredTests(tests).flatMap((test) => test.processes.map((process) => ({ test, process })));
  return tableOfAny(rows, [
    left("codec", ({ test }) => test.codec),
    left("process", ({ process }) => `${process.role} ${process.id}`),
    ...figures,
  ]);
}
