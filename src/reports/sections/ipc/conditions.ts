import { librariesOf } from "../../../analysis/cells.ts";
import type { IpcRecord, IpcTestRecord } from "../../../model/records/ipc.ts";
import { inlineCode, oneLine } from "../../escape.ts";
import { libraryName, originLines } from "../../provenance.ts";
import { counted, formatBytes, formatCount, formatSpeed } from "../../units.ts";

/** Under which conditions a run was made, a line each. */
export function conditionLines(record: IpcRecord): string[] {
  const { environment, options, tests, memcpy } = record;
  const scopes = [...new Set(tests.map(({ scope }) => scope))].join(" and ");
  const speeds = memcpy.map(
    ({ bytes, bytesPerSecond }) =>
      `${formatSpeed(bytesPerSecond)} MB/s in pieces of ${formatBytes(bytes)} bytes`,
  );
  return [
    ...originLines(record),
    `Libraries: ${libraryNames(tests)}`,
    `Transport: ${inlineCode(options.transport)}, ${scopes}`,
    `Clock: the monotonic clock of the machine, in nanoseconds, from ${environment.clocksource ?? "an unknown source"}`,
    ...(speeds.length === 0 ? [] : [`Copying memory: ${speeds.join(", ")}`]),
    ...(options.listenerDelayMs > 0
      ? [`The last listener was slowed down by ${options.listenerDelayMs} ms with each message`]
      : []),
    `Profile ${options.profile}; a test is ended after ${options.timeoutSeconds} s`,
  ];
}

/** The libraries that were asked for, with their versions. */
export function libraryNames(tests: readonly IpcTestRecord[]): string {
  return librariesOf(tests).map(libraryName).join(", ");
}

/** What has to be known before any figure is read, a paragraph each. */
export function warningsOf(record: IpcRecord): string[] {
  const crowded = crowdedTests(record);
  const { cores } = record.environment.cpu;
  return [
    ...(record.options.profile === "quick"
      ? [
          "**Scaled down.** Profile quick sends fewer and smaller messages than the published tests: it shows that everything works, and its figures are not those of profile standard.",
        ]
      : []),
    ...(crowded.length > 0
      ? [
          `**More processes than cores.** On the ${cores} cores of this machine, ${crowded.join(", ")}: talkers and listeners wait for a core too, and their times are longer for that.`,
        ]
      : []),
  ];
}

function crowdedTests({ tests, environment }: IpcRecord): string[] {
  const most = new Map<string, number>();
  for (const { test, processes } of tests) most.set(test, Math.max(most.get(test) ?? 0, processes.length));
  return [...most]
    .filter(([, count]) => count > environment.cpu.cores)
    .map(([test, count]) => `${test} has ${count} at work`);
}

/** In which way the messages of a setup were sent. */
export function setupText([test]: readonly IpcTestRecord[]): string {
  if (test === undefined) return "";
  const { transport, scope, reliability, depth, rateHz, messages, warmup, payloadBytes } = test;
  const count = messages === 1 ? "1 message" : `${formatCount(messages)} messages`;
  return oneLine(
    [
      `${count} per talker${warmup === 0 ? ", no warm-up" : ` after ${formatCount(warmup)} of warm-up`}`,
      `${counted(payloadBytes, "byte")} of payload`,
      reliability === "reliable"
        ? `reliable, ${depth} on the way at most`
        : `best effort, queues keep ${depth}`,
      rateHz === undefined ? "each sent as soon as it may be" : `${rateHz} per second and talker`,
      `${transport}, ${scope}`,
    ].join("; "),
  );
}
