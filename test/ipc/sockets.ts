/** Both ends of a transport in one process, for tests. */
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { Clock, clockBase } from "../../src/ipc/clock.ts";
import type { Decoder } from "../../src/ipc/participants/carrier.ts";
import type { Setup } from "../../src/ipc/transport.ts";
import { crc32 } from "../../src/ipc/wire/frame.ts";

const clock = new Clock(clockBase());

/** What a talker or listener knows of its exchange. */
export function setupOf(overrides: Partial<Setup> = {}): Setup {
  return {
    talkers: 1,
    listeners: 1,
    id: 0,
    reliability: "reliable",
    depth: 1,
    maxBytes: 1000,
    folder: os.tmpdir(),
    address: "",
    clock,
    ...overrides,
  };
}

/** A codec whose messages are these bytes, and which reads whatever it is given. */
export function carrierOf(...encoded: readonly Uint8Array[]): Decoder {
  return {
    values: encoded.length,
    meanBytes: encoded[0]!.length,
    maxBytes: Math.max(...encoded.map(({ length }) => length)),
    encoded,
    checksums: encoded.map((bytes) => crc32(bytes)),
    read: () => {},
  };
}

/** A folder for sockets, and what to do with it after. */
export function socketFolder(): { readonly folder: string; file(): string; remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "wbt-"));
  let files = 0;
  return {
    folder,
    file: () => path.join(folder, `${files++}.sock`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A server that says what it likes to whoever connects. */
export async function rogueServer(file: string, say: (socket: net.Socket) => void): Promise<net.Server> {
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    say(socket);
  });
  await new Promise<void>((resolve) => server.listen(file, resolve));
  return server;
}
