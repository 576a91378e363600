import type { IpcRecord, IpcTestRecord } from "../../model/records/ipc.ts";
import { defineReport } from "../../model/report.ts";
import { type CsvValue, csvText } from "../escape.ts";
import { contextOf, OBSERVATION, observationsOf } from "../sections/ipc/observations.ts";

export default defineReport({
  of: "ipc",
  summary: "one line per figure of a test, to be joined with messages.csv and others; times in nanoseconds",
  render: renderIpcCsv,
});

/** Columns of a test, which messages.csv has too as far as it has them. */
const TEST: Readonly<Record<string, (test: IpcTestRecord) => CsvValue>> = {
  test: ({ test }) => test,
  codec: ({ codec }) => codec,
  dataset: ({ dataset }) => dataset,
  transport: ({ transport }) => transport,
  reliability: ({ reliability }) => reliability,
  format: ({ format }) => format,
  library: ({ library }) => library,
  version: ({ version }) => version,
  program: ({ program }) => program,
  scope: ({ scope }) => scope,
  depth: ({ depth }) => depth,
  rate_hz: ({ rateHz }) => rateHz,
  messages: ({ messages }) => messages,
  warmup: ({ warmup }) => warmup,
  payload_bytes: ({ payloadBytes }) => payloadBytes,
  encoded_bytes: ({ encodedBytes }) => encodedBytes,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
};

/** The figures of a run between processes as CSV (RFC 4180), one a row; a test without figures is a row with its reason. */
export function renderIpcCsv(record: IpcRecord): string {
  const { profile, listenerDelayMs } = record.options;
  const context = { ...contextOf(record), profile, listener_delay_ms: listenerDelayMs };
  const names = [
    "number",
    ...Object.keys(TEST),
    "talker",
    "listener",
    ...OBSERVATION,
    ...Object.keys(context),
  ];
  const rows = record.tests.flatMap((test, number) => {
    const native = record.natives?.find(({ program }) => program === test.program);
    const made = native && { runtime: native.language, runtime_version: native.compiler };
    const own = [number, ...Object.values(TEST).map((of) => of(test))];
    const found = observationsOf(test);
    const figures: readonly { talker?: number; listener?: number; of: readonly CsvValue[] }[] =
      found.length > 0 ? found : [{ of: OBSERVATION.map(() => undefined) }];
    return figures.map(({ talker, listener, of }) => [
      ...own,
      talker,
      listener,
      ...of,
      ...Object.values({ ...context, ...made }),
    ]);
  });
  return csvText([names, ...rows]);
}
