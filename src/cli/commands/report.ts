import { Registry } from "../../catalog/registry.ts";
import { readRecord } from "../../results/read-record.ts";

/** `wirebench report`: renders a record anew, without any codec. */
export async function report(file: string, flags: { readonly format: string }): Promise<void> {
  const definition = await (await Registry.open()).definition("reports", flags.format);
  process.stdout.write(definition.render(readRecord(file)));
}
