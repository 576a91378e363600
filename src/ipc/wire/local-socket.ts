/** Sockets of this machine: a file in the exchange's folder, or a named pipe on Windows. */
import { rmSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { UsageError } from "../../model/errors.ts";
import type { Setup } from "../transport.ts";
import { serve } from "./connection.ts";
import { makeFolder } from "./own-folder.ts";

/** Bytes of a socket's path, without its NUL (sun_path of unix(7)). */
const MAX_PATH = 107;

/** The server of a talker, and its path. Throws UsageError where there can be none. */
export async function serveLocally({
  folder,
  id,
}: Pick<Setup, "folder" | "id">): Promise<{ readonly path: string; readonly server: net.Server }> {
  if (process.platform === "win32") {
    const pipe = `\\\\.\\pipe\\${path.basename(folder)}-${id}`;
    return { path: pipe, server: await serve({ path: pipe }) };
  }
  const file = path.join(folder, `${id}.sock`);
  if (Buffer.byteLength(file) > MAX_PATH) {
    throw new UsageError(
      `${file}: longer than the ${MAX_PATH} bytes of a socket's path: set TMPDIR to a shorter one`,
    );
  }
  makeFolder(folder);
  return { path: file, server: await serveAt(file) };
}

/** A server at a path. A socket that nobody serves any more, left by a process that was killed, is removed. */
export async function serveAt(file: string): Promise<net.Server> {
  try {
    return await serve({ path: file });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    if (await isServed(file)) throw new UsageError(`${file}: another process serves this socket`);
    rmSync(file);
    return serve({ path: file });
  }
}

function isServed(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(file);
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
