import { Registry } from "../catalog/registry.ts";
import type { RecordKind } from "../model/report.ts";
import type { AnyRecord } from "../store/read-record.ts";

/**
 * Any record as a report of the given name. Throws UsageError where its kind has none of that name, and what
 * `Registry.open` throws.
 * @param plugins files of the user's own reports
 */
export async function renderedRecord(
  record: AnyRecord,
  name: string,
  plugins: readonly string[] = [],
): Promise<string> {
  const kind: RecordKind = "kind" in record ? record.kind : "run";
  const { render } = await (await Registry.open(plugins)).report<RecordKind>(kind, name);
  return render(record);
}
