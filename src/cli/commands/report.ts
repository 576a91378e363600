import { readAnyRecord } from "../../store/read-record.ts";
import { renderedRecord } from "../rendered-record.ts";
import { print } from "../standard-output.ts";

/** `wirebench report`: renders a record anew, without any codec. */
export async function report(file: string, flags: { readonly format: string }): Promise<void> {
  print(await renderedRecord(readAnyRecord(file), flags.format));
}
