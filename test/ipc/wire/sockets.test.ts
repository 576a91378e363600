/** Who may connect to a talker, and where its socket is. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { Listener } from "../../../src/ipc/participants/listener.ts";
import {
  acceptAll,
  connectAll,
  endServer,
  serve,
  serveAt,
  serveLocally,
} from "../../../src/ipc/wire/sockets.ts";
import { UsageError } from "../../../src/model/errors.ts";
import { endOf, frameOf, payloadOf } from "../frames.ts";
import { carrierOf, setupOf, socketFolder } from "../sockets.ts";

const place = socketFolder();
afterAll(() => place.remove());

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** What strangers do. */
const STRANGERS: Readonly<Record<string, (socket: net.Socket) => void>> = {
  "say nothing": () => {},
  "go at once": (socket) => socket.end(),
  "break off at once": (socket) => void socket.destroy(),
  "say a part of it": (socket) => void socket.write("WBM"),
  "say a part of it, and go": (socket) => void socket.end("WBM"),
  "say garbage": (socket) => void socket.write(Buffer.alloc(100, 0xa5)),
  "say garbage without end": (socket) => void socket.write(Buffer.alloc(3_000_000, 0xa5)),
  "speak HTTP": (socket) => void socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
  "are no listener that there is": (socket) => void socket.write(hello(2)),
  "are a listener with a large number": (socket) => void socket.write(hello(0xffff_ffff)),
  "reset the connection": (socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
    else socket.resetAndDestroy();
  },
};

function hello(id: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.write("WBMH");
  bytes.writeUInt32LE(id, 4);
  return bytes;
}

async function stranger(address: net.NetConnectOpts, act: (socket: net.Socket) => void): Promise<void> {
  const socket = net.connect(address);
  closings.push(() => socket.destroy());
  await new Promise<void>((resolve) => {
    socket.on("error", () => resolve());
    socket.on("connect", () => {
      act(socket);
      setTimeout(resolve, 5);
    });
  });
}

const PAYLOAD = payloadOf(900);

/** Two listeners and a talker, and a stranger before the first, between them, and after. */
async function exchangeBeside(
  act: (socket: net.Socket) => void,
  address: net.NetConnectOpts,
  server: net.Server,
) {
  const setup = setupOf({ listeners: 2 });
  await stranger(address, act);
  const accepted = acceptAll(server, setup);
  await stranger(address, act);
  const first = await connectAll({ ...setup, id: 1 }, [address]);
  await stranger(address, act);
  const second = await connectAll({ ...setup, id: 0 }, [address]);
  const talker = await accepted;
  await stranger(address, act);
  closings.push(
    () => first.close(),
    () => second.close(),
    () => talker.close(),
  );
  const acks = [0, 0];
  const errors: Error[] = [];
  talker.onAck((listener) => {
    acks[listener]! += 1;
  });
  talker.onError((error) => errors.push(error));
  const phase = { name: "measured", messages: 2, window: 1, limit: Number.POSITIVE_INFINITY } as const;
  const logs = [second, first].map((end) =>
    new Listener({ ...setup, delayMs: 0 }, carrierOf(PAYLOAD), end).receive(phase, () => {}),
  );
  for (const { send } of talker.links) {
    for (const sequence of [0, 1]) {
      const frame = frameOf(PAYLOAD, { sequence });
      await send(frame.subarray(0, 40), frame.subarray(40));
    }
    await send(endOf(2), new Uint8Array(0));
  }
  for (const log of await Promise.all(logs)) expect([...log.talkers[0]!.outcome]).toEqual([1, 1]);
  await expect.poll(() => acks).toEqual([2, 2]);
  expect(errors).toEqual([]);
}

describe("strangers at a talker's door", () => {
  const acts = Object.entries(STRANGERS);

  it.each(acts)("that %s disturb nobody: Unix domain socket", async (_, act) => {
    const file = place.file();
    const server = await serve({ path: file });
    await exchangeBeside(act, { path: file }, server);
    expect(existsSync(file)).toBe(false);
  });

  it.each(acts)("that %s disturb nobody: TCP", async (_, act) => {
    const server = await serve({ host: "127.0.0.1", port: 0 });
    const { port } = server.address() as net.AddressInfo;
    await exchangeBeside(act, { host: "127.0.0.1", port }, server);
  });

  it("find it closed once all listeners are there", async () => {
    const file = place.file();
    const server = await serve({ path: file });
    const accepted = acceptAll(server, setupOf());
    const end = await connectAll(setupOf(), [{ path: file }]);
    closings.push(async () => (await accepted).close(), end.close);
    await accepted;
    await expect(connectAll(setupOf(), [{ path: file }])).rejects.toThrow(
      /^talker 0 cannot be reached: .*ENOENT/,
    );
  });
});

describe.skipIf(process.platform === "win32")("a socket's path", () => {
  it("is free again when its process was killed", async () => {
    const file = place.file();
    const program = `require("net").createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, 9))`;
    expect(() => execFileSync(process.execPath, ["-e", program], { stdio: "ignore" })).toThrow();
    expect(existsSync(file)).toBe(true);
    const server = await serveAt(file);
    closings.push(() => endServer(server));
    await new Promise<void>((resolve, reject) => {
      const socket = net.connect(file, () => {
        socket.destroy();
        resolve();
      });
      socket.on("error", reject);
    });
  });

  it("is not taken from a process that lives", async () => {
    const file = place.file();
    const server = await serveAt(file);
    closings.push(() => endServer(server));
    await expect(serveAt(file)).rejects.toThrow(
      new UsageError(`${file}: another process serves this socket`),
    );
    expect(existsSync(file)).toBe(true);
  });

  it("is gone with its server", async () => {
    const file = place.file();
    endServer(await serveAt(file));
    await expect.poll(() => existsSync(file)).toBe(false);
  });

  it("is in a folder that only its user looks into", async () => {
    const folder = path.join(place.folder, "wb-1");
    const { server, path: file } = await serveLocally({ folder, id: 4 });
    closings.push(() => endServer(server));
    expect(file).toBe(path.join(folder, "4.sock"));
    expect(readdirSync(folder)).toEqual(["4.sock"]);
  });

  it("that is too long is refused before the system cuts it off", async () => {
    const folder = path.join(
      place.folder,
      "x".repeat(107 - place.folder.length - "/".length - "/0.sock".length),
    );
    const { server } = await serveLocally({ folder, id: 0 });
    closings.push(() => endServer(server));
    await expect(serveLocally({ folder, id: 10 })).rejects.toThrow(
      new UsageError(
        `${folder}/10.sock: longer than the 107 bytes of a socket's path: set TMPDIR to a shorter one`,
      ),
    );
  });
});
