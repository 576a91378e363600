import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../model/errors.ts";
import { nearNames } from "../model/near-names.ts";
import type { TransportDefinition } from "./transport.ts";

const FOLDER = new URL("./transports/", import.meta.url);
const OWN = path.extname(fileURLToPath(import.meta.url));

/** Names of the transports: those of the files in `transports/`. */
export function transportNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(OWN) && !file.endsWith(".d.ts"))
    .map((file) => path.basename(file, OWN))
    .sort();
}

/** The transport of that name. Throws UsageError with the near names. */
export async function transportNamed(name: string): Promise<TransportDefinition> {
  const known = transportNames();
  if (!known.includes(name)) throw new UsageError(`unknown transport "${name}"${nearNames(name, known)}`);
  return ((await import(new URL(`${name}${OWN}`, FOLDER).href)) as { default: TransportDefinition }).default;
}
