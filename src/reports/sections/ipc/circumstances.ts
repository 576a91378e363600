import type { IpcRecord, IpcTestRecord } from "../../../model/records/ipc.ts";
import { inlineCode, oneLine } from "../../escape.ts";
import { formatBytes } from "../../units.ts";
import { formatSpeed } from "./figures.ts";

/** Under which circumstances a run was made, as lines of Markdown. */
export function circumstances(record: IpcRecord): string[] {
  const { tool, environment, options } = record;
  const { cpu, os, node } = environment;
  const governor = cpu.governor === null ? "" : `, governor ${cpu.governor}`;
  const memory = `${(environment.memoryBytes / 2 ** 30).toFixed(1)} GiB`;
  return [
    `Command: ${inlineCode(tool.command)}`,
    `Date: ${record.startedAt}${record.complete ? "" : " (not complete: the run goes on, or was interrupted)"}`,
    `Machine: ${cpu.model}, ${cpu.cores} cores${governor}, ${memory}, ${os.platform} ${os.release} ${os.arch}, load ${environment.load.join(" ")}`,
    `Node ${node.version}, V8 ${node.v8}, ${node.execArgv.join(" ")}; wirebench ${tool.version}`,
    `Libraries: ${librariesOf(record.tests).join(", ")}`,
    `Transport: ${inlineCode(options.transport)}, ${scopesOf(record.tests)}`,
    `Clock: the monotonic clock of the machine, in nanoseconds, from ${environment.clocksource ?? "an unknown source"}`,
    ...memcpyLine(record),
    ...(options.listenerDelayMs > 0
      ? [`The last listener was slowed down by ${options.listenerDelayMs} ms with each message`]
      : []),
    `Profile ${options.profile}; a test is ended after ${options.timeoutSeconds} s`,
  ].map((line) => `- ${oneLine(line)}`);
}

/** What has to be known before any figure is read. */
export function warnings(record: IpcRecord): string[] {
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
          `**More processes than cores.** On the ${cores} cores of this machine, ${crowded.join(", ")}: talkers and listeners wait for a core too, and their times tell of that as well as of codecs.`,
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

/** The libraries that were asked for, with their versions. */
export function librariesOf(tests: readonly IpcTestRecord[]): string[] {
  const named = tests.map(({ library, version, build }) =>
    [library, version, ...(build === undefined ? [] : [`(${build})`])].join(" "),
  );
  return [...new Set(named)].sort();
}

function scopesOf(tests: readonly IpcTestRecord[]): string {
  return [...new Set(tests.map(({ scope }) => scope))].join(" and ");
}

function memcpyLine({ memcpy }: IpcRecord): string[] {
  if (memcpy.length === 0) return [];
  const speeds = memcpy.map(
    ({ bytes, bytesPerSecond }) =>
      `${formatSpeed(bytesPerSecond)} MB/s in pieces of ${formatBytes(bytes)} bytes`,
  );
  return [`Copying memory: ${speeds.join(", ")}`];
}
