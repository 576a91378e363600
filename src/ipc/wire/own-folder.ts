/** Folders that an exchange has for itself. */
import { mkdirSync, rmSync } from "node:fs";
import { systemProblem, UsageError } from "../../model/errors.ts";
import type { Setup, TransportDefinition } from "../transport.ts";

/** Makes a folder that only this user can look into, unless another talker has made it. Throws UsageError. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST")
      throw new UsageError(
        `${folder}: cannot be made ${systemProblem(error)}${code === "ENOENT" ? ": set TMPDIR to a folder that is there" : ""}`,
        { cause: error },
      );
  }
}

/** Removes all folders of an exchange, with what is left in them. */
export function removeFolders(
  transport: TransportDefinition,
  setup: Pick<Setup, "folder" | "address">,
): void {
  for (const folder of [setup.folder, transport.folderBeside?.(setup)]) {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
