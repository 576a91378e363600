/**
 * Connections between talkers and listeners, over stream sockets of any address, and frames over them: the talker is
 * the server of its listeners.
 */
import { once } from "node:events";
import { rmSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { UsageError, WirebenchError } from "../../model/errors.ts";
import { type Link, type ListenerEnd, PeerLostError, type Setup, type TalkerEnd } from "../transport.ts";
import { FrameError, nameOf } from "./frame.ts";
import { BufferPool, FrameReader } from "./frame-reader.ts";
import { makeFolder } from "./own-folder.ts";
import { Inbox, TalkerSignals } from "./queues.ts";

/** What a listener says first: a mark, and its number. Afterwards a byte for each message that it is done with. */
const HELLO_BYTES = 8;
const HELLO_MARK = 0x484d_4257;
const ACK = new Uint8Array(1);

/** Who has connected to a server. */
const connected = new WeakMap<net.Server, Set<net.Socket>>();

/** A server that keeps who connects before anybody waits for them. Throws what `listen` emits. */
export async function serve(address: net.ListenOptions): Promise<net.Server> {
  const server = net.createServer();
  const sockets = new Set<net.Socket>();
  connected.set(server, sockets);
  server.on("connection", (socket) => {
    // `close` says who breaks off; an error that nobody handles would end this process.
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    sockets.add(socket);
  });
  server.listen(address);
  await once(server, "listening");
  return server;
}

/** Ends a server, and its connections but for those that are kept. */
export function endServer(server: net.Server, kept: readonly net.Socket[] = []): void {
  server.close();
  for (const socket of connected.get(server) ?? []) {
    if (!kept.includes(socket)) socket.destroy();
  }
}

/**
 * Waits until every listener has connected, and gives their connections by their numbers. Then nobody else can
 * connect any more. Strangers, who know nothing of us, are turned away.
 */
export function acceptListeners(server: net.Server, listeners: number): Promise<net.Socket[]> {
  const sockets = new Map<number, net.Socket>();
  return new Promise((resolve, reject) => {
    const admit = async (socket: net.Socket): Promise<void> => {
      socket.setNoDelay(true);
      const id = await readHello(socket);
      if (id === undefined || id >= listeners || sockets.has(id)) {
        socket.destroy();
        return;
      }
      sockets.set(id, socket);
      if (sockets.size < listeners) return;
      const all = Array.from({ length: listeners }, (_, number) => sockets.get(number)!);
      endServer(server, all);
      resolve(all);
    };
    for (const early of connected.get(server) ?? []) void admit(early);
    server.on("connection", (socket) => void admit(socket));
    server.on("error", reject);
  });
}

/** The number that a listener says; undefined for who says something else, or goes. */
function readHello(socket: net.Socket): Promise<number | undefined> {
  return new Promise((resolve) => {
    const look = (): void => {
      const hello = socket.read(HELLO_BYTES) as Buffer | null;
      if (hello === null) return;
      socket.off("readable", look);
      const isOurs = hello.length === HELLO_BYTES && hello.readUInt32LE(0) === HELLO_MARK;
      resolve(isOurs ? hello.readUInt32LE(4) : undefined);
    };
    socket.on("readable", look);
    socket.on("close", () => resolve(undefined));
    look();
  });
}

/**
 * A talker's end of its connections.
 * @param sockets one per listener, which acknowledges over it what it is done with
 * @param links what its messages go over
 */
export function talkerEnd(sockets: readonly net.Socket[], links: readonly Link[]): TalkerEnd {
  const signals = new TalkerSignals();
  for (const [listener, socket] of sockets.entries()) {
    socket.on("data", (acks) => {
      for (let i = 0; i < acks.length; i++) signals.done(listener);
    });
    socket.on("close", () => {
      signals.failed(new PeerLostError(`listener ${listener} closed its connection`));
    });
  }
  return {
    links,
    ...signals.handlers,
    close: async () => {
      signals.end();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** What a listener does with what comes over its connections. */
interface FromTalkers {
  /** Most bytes that are asked of a socket at once. */
  readonly chunkBytes: number;
  /** Takes the next bytes, which are overwritten after. Returns whether more are wanted. */
  bytes(talker: number, chunk: Uint8Array): boolean;
  /** Called once a talker is gone. */
  closed(talker: number): void;
}

/** A listener's connections to all its talkers. */
export interface Connections {
  /** Tells a talker that its message is done with. */
  ack(talker: number): void;
  close(): void;
}

/**
 * Connects to every talker.
 * @param id number of this listener
 * @param addresses one per talker
 */
export async function connectTalkers(
  id: number,
  addresses: readonly net.NetConnectOpts[],
  from: FromTalkers,
): Promise<Connections> {
  const hello = Buffer.alloc(HELLO_BYTES);
  hello.writeUInt32LE(HELLO_MARK, 0);
  hello.writeUInt32LE(id, 4);
  let closing = false;
  const sockets = addresses.map((address, talker) => {
    const buffer = Buffer.allocUnsafeSlow(from.chunkBytes).fill(1);
    const callback = (count: number): boolean => from.bytes(talker, buffer.subarray(0, count));
    return net.connect({ ...address, noDelay: true, onread: { buffer, callback } });
  });
  const close = (): void => {
    closing = true;
    for (const socket of sockets) socket.destroy();
  };
  const connect = async (socket: net.Socket, talker: number): Promise<void> => {
    try {
      await once(socket, "connect");
    } catch (error) {
      close();
      throw new WirebenchError(`talker ${talker} cannot be reached: ${(error as Error).message}`);
    }
    socket.on("error", () => {});
    socket.on("close", () => {
      if (!closing) from.closed(talker);
    });
    socket.write(hello);
  };
  await Promise.all(sockets.map(connect));
  return { ack: (talker) => void sockets[talker]!.write(ACK), close };
}

/** Bytes of a socket's path, without its NUL (sun_path of unix(7)). */
const MAX_PATH = 107;

/**
 * The server of a talker on this machine, and its path: a file in the exchange's folder, or a named pipe on Windows.
 * Throws UsageError where there can be none.
 */
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

/**
 * Bytes that are asked of a socket at once. Node's own buffers are 64 KiB, which makes a message of 6.5 MB a
 * hundred pieces (measured: p50 2.7 ms, and 1.6 ms with this).
 */
const CHUNK_BYTES = 1 << 20;

/** Waits until every listener has connected to a server, and gives the talker's end. */
export async function acceptAll(server: net.Server, { listeners }: Setup): Promise<TalkerEnd> {
  const sockets = await acceptListeners(server, listeners);
  return talkerEnd(sockets, sockets.map(socketLink));
}

function socketLink(socket: net.Socket, listener: number): Link {
  return {
    listeners: [listener],
    send: (header, payload) =>
      new Promise((resolve, reject) => {
        const done = (error?: Error | null): void => (error ? reject(lost(listener, error)) : resolve());
        if (payload.length === 0) {
          socket.write(header, done);
          return;
        }
        // Both in one system call, and without putting them together.
        socket.cork();
        socket.write(header);
        socket.write(payload, done);
        socket.uncork();
      }),
  };
}

function lost(listener: number, error: Error): PeerLostError {
  return new PeerLostError(`listener ${listener} cannot be written to: ${error.message}`);
}

/** Connects to every talker, and gives the listener's end. */
export async function connectAll(
  setup: Setup,
  addresses: readonly net.NetConnectOpts[],
): Promise<ListenerEnd> {
  const { id, talkers, reliability, depth, maxBytes, clock } = setup;
  const inbox = new Inbox(reliability === "reliable" ? Number.POSITIVE_INFINITY : depth);
  // Those that wait, the one that is read, and the one that comes in.
  const pool = new BufferPool(maxBytes, talkers * (depth + 1) + 1);
  const readers = addresses.map(
    (_, talker) =>
      new FrameReader(pool, maxBytes, (arrival) => {
        if (arrival.header.talker !== talker) {
          throw new FrameError(`${nameOf(arrival.header)}: it came from talker ${talker}`);
        }
        inbox.push(arrival);
      }),
  );
  const connections = await connectTalkers(id, addresses, {
    chunkBytes: CHUNK_BYTES,
    bytes: (talker, chunk) => {
      try {
        readers[talker]!.push(chunk, clock.now());
        return true;
      } catch (error) {
        inbox.fail(error as Error);
        return false;
      }
    },
    closed: (talker) => {
      const where = readers[talker]!.idle ? "" : " in the middle of a message";
      inbox.fail(new PeerLostError(`talker ${talker} closed its connection${where}`));
    },
  });
  return {
    receive: () => inbox.take(),
    ack: connections.ack,
    onDrop: (callback) => inbox.onDrop(callback),
    close: async () => connections.close(),
  };
}
