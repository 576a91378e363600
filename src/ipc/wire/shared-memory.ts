/** Where files in shared memory are, and whether they have room. */
import { closeSync, existsSync, openSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import { UsageError } from "../../model/errors.ts";
import type { Setup } from "../transport.ts";
import { makeFolder } from "./own-folder.ts";
import { type RingShape, RingWriter, ringBytes } from "./slot-ring.ts";

/** Where Linux has a file system in memory for this. */
const SHARED_MEMORY = "/dev/shm";

/** The folder that an exchange has in shared memory: named like its own, so that anybody can find and remove it. */
export function sharedFolder({ folder, address }: Pick<Setup, "folder" | "address">): string {
  if (address !== "") return path.join(path.resolve(address), path.basename(folder));
  return existsSync(SHARED_MEMORY) ? path.join(SHARED_MEMORY, path.basename(folder)) : folder;
}

/**
 * Makes a ring of slots in a folder of shared memory. Throws UsageError where there is no room for it.
 * @param id number of the talker
 */
export function makeRing(
  folder: string,
  id: number,
  shape: RingShape,
): { readonly file: string; readonly writer: RingWriter; close(): void } {
  makeFolder(folder);
  const file = path.join(folder, `${id}.slots`);
  expectRoom(folder, shape);
  const fd = openSync(file, "wx+", 0o600);
  const close = (): void => {
    rmSync(file, { force: true });
    closeSync(fd);
  };
  try {
    return { file, writer: new RingWriter(fd, shape), close };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    close();
    // Somebody else was quicker, or a quota is lower than what the file system has.
    if (code === "ENOSPC" || code === "EDQUOT")
      throw noRoom(folder, shape, `${free(folder)} bytes (${code})`);
    throw error;
  }
}

function expectRoom(folder: string, shape: RingShape): void {
  if (free(folder) < ringBytes(shape)) throw noRoom(folder, shape, `${free(folder)} bytes`);
}

function free(folder: string): number {
  const { blocks, bavail, bsize } = statfsSync(folder);
  // A file system in memory that has no limit says that it has nothing (tmpfs(5), size=0).
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

function noRoom(folder: string, shape: RingShape, got: string): UsageError {
  const { slots, maxBytes } = shape;
  return new UsageError(
    `${path.dirname(folder)}: no room for ${slots} slots with messages of ${maxBytes} bytes: expected ` +
      `${ringBytes(shape)} bytes, got ${got}: make it larger (in a container with --shm-size), lower the depth, ` +
      "or name another folder as in shm:/mnt/large",
  );
}
