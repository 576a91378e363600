import { Registry } from "../../catalog/registry.ts";
import { readRecord } from "../../results/read-record.ts";
import { print } from "../standard-output.ts";

/** `wirebench report`: renders a record anew, without any codec. */
export async function report(file: string, flags: { readonly format: string }): Promise<void> {
  const definition = await (await Registry.open()).definition("reports", flags.format);
  print(definition.render(readRecord(file)));
}
