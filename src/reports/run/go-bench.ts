import { isMeasured } from "../../analysis/cells.ts";
import type { Cell, MachineRecord, RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { percentEncoded } from "../sections/run/series.ts";
import { viewOf } from "../view.ts";

export default defineReport({
  of: "run",
  summary: "Go's benchmark format, for benchstat: a line for each process",
  render: renderGoBench,
});

/** A machine, and the blocks that were measured on it: all where there is one. */
type Place = Pick<MachineRecord, "environment" | "runtimes"> & Partial<Pick<MachineRecord, "blocks">>;

/** Unicode's White_Space, as Go's `unicode.IsSpace` has it, and what would end a part of a name. */
const NO_PART_OF_A_NAME = /[\s\u0085%/\p{C}]/gu;

/**
 * A run in Go's benchmark format (golang.org/design/14313-benchmark-format). A line is a process, which is the statistical unit:
 * benchstat's intervals and tests are over processes. It makes a table of its own for each configuration. So only that is
 * configuration with which times are not to be compared, and the date, for one, is a comment.
 */
export function renderGoBench(record: RunRecord): string {
  const { tool, startedAt, merged, options } = record;
  const machines = merged?.machines ?? [];
  const places: readonly Place[] = machines.length > 1 ? machines : [record];
  const view = viewOf(record);
  return [
    `# ${oneLine(tool.command)}`,
    `# ${startedAt}, wirebench ${tool.version}, profile ${oneLine(options.profile)}, ${view.libraries.map(oneLine).join(", ")}`,
    "Unit B/msg assume=exact better=lower",
    ...places.flatMap((place) => [
      ...configuration(place),
      ...view.datasets.flatMap(({ about, cells }) => {
        const lines = cells.flatMap((cell) => resultLines(cell, place));
        // A configuration without a value takes that of the dataset before away.
        return lines.length === 0 ? [] : [`data: ${about.sha256?.slice(0, 16) ?? ""}`, ...lines];
      }),
    ]),
    "",
  ].join("\n");
}

function configuration({ environment: { cpu, os }, runtimes }: Place): string[] {
  const values = {
    goos: GOOS[os.platform] ?? os.platform,
    goarch: GOARCH[os.arch] ?? os.arch,
    cpu: cpu.model,
    runtime: runtimes.map(({ name, version }) => `${name} ${version}`).join(", "),
    "timed-by": runtimes.map(({ timeSource = "wall" }) => timeSource).join(", "),
  };
  return Object.entries(values).map(([key, value]) => `${key}: ${oneLine(value)}`);
}

/** What Go calls what Node has other names for. */
const GOOS: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const GOARCH: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** A line for each process of a cell on that machine; one with the size alone where nothing was timed. */
function resultLines(cell: Cell, { blocks }: Place): string[] {
  if (cell.twinOf !== undefined || cell.bytes === undefined) return [];
  const name = goName(cell);
  const size = `${cell.bytes} B/msg`;
  if (!isMeasured(cell)) return cell.status === "ok" ? [`${name} 1 ${size}`] : [];
  const { nanos } = cell;
  return nanos.processes.flatMap((time, i) => {
    if (blocks !== undefined && !blocks.includes(nanos.blocks[i]!)) return [];
    const calls = nanos.batchCalls[i]! * Math.max(nanos.batches[i]!.length, 1);
    return [`${name} ${calls} ${time} ns/op ${size}`];
  });
}

/** `BenchmarkEncode/dataset=tellist/codec=json`, and the runtime where there are several: what benchstat's `-col` and `-row` take. */
function goName({ operation, dataset, codec, runtime }: Cell): string {
  const suffix = ` (${runtime})`;
  const isNamed = runtime !== undefined && codec.endsWith(suffix);
  const parts = {
    dataset,
    codec: isNamed ? codec.slice(0, -suffix.length) : codec,
    ...(isNamed ? { runtime } : {}),
  };
  const encoded = (text: string): string => text.replace(NO_PART_OF_A_NAME, percentEncoded);
  // A name goes on with a capital letter by convention. One that has none is set apart from those that were given one.
  const what = encoded(operation).replace(/^./u, (first) =>
    /[a-z]/.test(first) ? first.toUpperCase() : `_${first}`,
  );
  const name = [what, ...Object.entries(parts).map(([key, value]) => `${key}=${encoded(value)}`)].join("/");
  // A number behind a hyphen at the end would be read as that of processors.
  return `Benchmark${name.replace(/-(?=\d+$)/, "%2D")}`;
}
