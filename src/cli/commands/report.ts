import { readAnyRecord } from "../../store/read-record.ts";
import type { Io } from "../io.ts";
import { renderedRecord } from "../rendered-record.ts";

/** `wirebench report`: renders a record anew, without any codec. */
export async function report(file: string, flags: { readonly format: string }, io: Io): Promise<void> {
  io.print(await renderedRecord(readAnyRecord(file), flags.format));
}
