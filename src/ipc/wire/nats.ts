import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type { Msg, NatsConnection } from "nats";
import { defined } from "../../model/defined.ts";
import { UsageError, WirebenchError } from "../../model/errors.ts";
import type { Clock } from "../clock.ts";
import type { Arrival } from "../transport.ts";
import { FrameError, type FrameHeader, HEADER_BYTES, nameOf, readHeader } from "./frame.ts";

/** A message of a subject. */
export interface BrokerMessage {
  /** Holds for good: the client makes it for this message alone. */
  readonly data: Uint8Array;
  /** Whether it is the server's own answer, that nobody hears what was published with this subject for replies. */
  readonly unheard: boolean;
}

/** Time to be connected in, in milliseconds, for each address that a name stands for. */
const CONNECT_MS = 5000;

/** A server that leaves three questions in a row, so far apart, without an answer is gone. Longer than a message takes. */
const PING_MS = 20_000;

/** The longest message that a server can be configured to take, in bytes: 64 MB, as its documentation says. */
const MAX_PAYLOAD = 64 * 1024 * 1024;

/**
 * A connection to a NATS server. It ends for good where anything is wrong with it: what was in flight is lost then, and
 * a measurement that goes on after says nothing.
 */
export class Broker {
  /** Its address, without a password. */
  readonly address: string;
  readonly #connection: NatsConnection;
  #failure: WirebenchError | undefined;
  #onFailure: (error: WirebenchError) => void = () => {};
  #closing = false;

  private constructor(address: string, connection: NatsConnection) {
    this.address = address;
    this.#connection = connection;
    void connection.closed().then((cause) => {
      if (!this.#closing) this.#fail(closedText(address, cause));
    });
    void this.#watch();
  }

  /**
   * Connects. Throws UsageError for an address that is none, and WirebenchError where no server answers.
   * @param address `nats://host:port`
   * @param name by which the server lists this client
   */
  static async connect(address: string, name: string): Promise<Broker> {
    const { shown, server, login } = natsAddress(address);
    const { connect } = await import("nats");
    try {
      const connection = await connect({
        servers: server,
        name,
        reconnect: false,
        timeout: CONNECT_MS,
        pingInterval: PING_MS,
        ignoreClusterUpdates: true,
        ...login,
      });
      return new Broker(shown, connection);
    } catch (error) {
      throw new WirebenchError(`${shown}: cannot connect to a NATS server there: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  /** What ended the connection, or was forbidden. */
  get failure(): WirebenchError | undefined {
    return this.#failure;
  }

  /** Bytes of the longest message that the server takes. */
  get maxPayload(): number {
    return this.#connection.info?.max_payload ?? 0;
  }

  /** Throws UsageError unless the server takes messages of so many bytes. */
  expectRoom(bytes: number): void {
    const most = this.maxPayload;
    if (bytes <= most) return;
    const remedy =
      bytes <= MAX_PAYLOAD
        ? `set max_payload in its configuration to that or more, of which NATS allows ${inBytes(MAX_PAYLOAD)}`
        : `and its max_payload cannot be set to more than ${inBytes(MAX_PAYLOAD)}`;
    throw new UsageError(
      `${this.address}: a message needs ${inBytes(bytes)}, and the server takes at most ${inBytes(most)}: ${remedy}`,
    );
  }

  /**
   * Calls back with each message of a subject; after {@link flush} the server knows of it. Returns what ends it.
   * @param queue those of one name share the messages: each goes to one of them
   */
  subscribe(subject: string, callback: (message: BrokerMessage) => void, queue?: string): () => void {
    const subscription = this.#connection.subscribe(subject, {
      ...defined({ queue }),
      callback: (error, message) => {
        if (error === null) callback({ data: message.data, unheard: isUnheard(message) });
        else this.#fail(`${this.address}: ${reasonOf(error)}`);
      },
    });
    return () => subscription.unsubscribe();
  }

  /**
   * Publishes bytes, which are copied before anything else happens. Throws WirebenchError where the connection is gone.
   * @param reply subject for what is answered, by the server too if nobody hears
   */
  publish(subject: string, data: Uint8Array, reply?: string): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#connection.isClosed()) throw new WirebenchError(closedText(this.address, undefined));
    this.#connection.publish(subject, data, reply === undefined ? {} : { reply });
  }

  /**
   * Resolves once the server has handled all that was published and subscribed before. Throws WirebenchError where it
   * forbids some of that, or the connection is gone.
   */
  async flush(): Promise<void> {
    try {
      await this.#connection.flush();
      // The server's objections come before its answer, and are handled in a later turn.
      await turn();
    } catch (error) {
      throw this.#failure ?? new WirebenchError(closedText(this.address, error), { cause: error });
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Calls back once if the connection ends otherwise than by {@link close}, or the server forbids something. */
  onFailure(callback: (error: WirebenchError) => void): void {
    this.#onFailure = callback;
    if (this.#failure !== undefined) callback(this.#failure);
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#connection.close();
  }

  /** Ends the connection once what was said last has gone, for which it waits half a second at most. */
  async leave(): Promise<void> {
    await Promise.race([this.flush().catch(() => {}), sleep(500)]);
    await this.close();
  }

  async #watch(): Promise<void> {
    for await (const { type, data, permissionContext: what } of this.#connection.status()) {
      if (String(type) !== "error") continue;
      const operation = what === undefined ? "" : ` (${what.operation} of ${what.subject})`;
      this.#fail(`${this.address}: the server objects: ${String(data)}${operation}`);
    }
  }

  #fail(text: string): void {
    if (this.#failure !== undefined || this.#closing) return;
    this.#failure = new WirebenchError(text);
    this.#onFailure(this.#failure);
  }
}

function isUnheard(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === 503;
}

function closedText(address: string, cause: unknown): string {
  const said = cause instanceof Error ? `: ${reasonOf(cause)}` : "";
  return (
    `${address}: the server closed the connection${said}. ` +
    "It does so when it ends, and to a client that is slower than its max_pending allows"
  );
}

/** What the client or the system says, with the cause that it hides behind a code of its own. */
function reasonOf(error: unknown): string {
  const { message, chainedError } = error as Error & { chainedError?: Error };
  return [message, chainedError?.message].filter(Boolean).join(": ");
}

function inBytes(bytes: number): string {
  return `${bytes.toLocaleString("en-US")} bytes`;
}

/** Where a NATS server is, and how to log in to it. */
export interface NatsAddress {
  /** `nats://host:4222`, without a password: for errors and records. */
  readonly shown: string;
  /** `host:4222`. */
  readonly server: string;
  readonly login: { readonly user: string; readonly pass: string } | { readonly token: string } | undefined;
}

/** The port that NATS servers have unless they are configured otherwise. */
const STANDARD_PORT = "4222";

/**
 * Reads `nats://host:port`; `user:password@` or `token@` may stand before the host, and the port may be left out.
 * Throws UsageError.
 */
export function natsAddress(text: string): NatsAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isServer =
    url?.protocol === "nats:" &&
    url.hostname !== "" &&
    /^\/?$/.test(url.pathname) &&
    url.search + url.hash === "";
  if (!isServer)
    throw new UsageError(`expected the address of a server, as nats://host:4222, got ${hidden(text)}`);
  const server = `${url.hostname}:${url.port === "" ? STANDARD_PORT : url.port}`;
  return { shown: `nats://${server}`, server, login: loginOf(url) };
}

function loginOf({ username, password }: URL): NatsAddress["login"] {
  if (username === "") return undefined;
  const user = decoded(username);
  return password === "" ? { token: user } : { user, pass: decoded(password) };
}

/** What stands in an address for other characters, as `%40` for `@`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Text that may hold a password, for an error. */
function hidden(text: string): string {
  return JSON.stringify(text.replace(/^([a-z]*:\/\/)?.*@/i, "$1…@"));
}

/**
 * Publishes a frame: its header and its payload as two messages, which NATS delivers in this order. Both in one would
 * have to be put together first, and a header of NATS is text (measured, for 100 bytes and 26 MB: 76 µs and 50 ms as
 * two messages, 74 µs and 64 ms as one, 87 µs and 52 ms with a header of NATS). It also shows when a message begins.
 */
export function publishFrame(broker: Broker, subject: string, header: Uint8Array, payload: Uint8Array): void {
  broker.publish(subject, header);
  if (payload.length > 0) broker.publish(subject, payload);
}

/** Puts frames together from what {@link publishFrame} published. */
export class FrameJoiner {
  readonly #maxBytes: number;
  readonly #clock: Clock;
  readonly #onFrame: (arrival: Arrival) => void;
  #begun: { readonly header: FrameHeader; readonly firstByte: number } | undefined;

  /** @param maxBytes the longest message that is accepted */
  constructor(maxBytes: number, clock: Clock, onFrame: (arrival: Arrival) => void) {
    this.#maxBytes = maxBytes;
    this.#clock = clock;
    this.#onFrame = onFrame;
  }

  /** Takes the subject's next message. Throws FrameError. */
  push(data: Uint8Array): void {
    const now = this.#clock.now();
    if (this.#begun === undefined) {
      if (data.length !== HEADER_BYTES) {
        throw new FrameError(`frame: expected a header of ${HEADER_BYTES} bytes, got ${data.length}`);
      }
      const header = readHeader(data, this.#maxBytes);
      if (header.bytes > 0) this.#begun = { header, firstByte: now };
      else this.#emit(header, now, now, new Uint8Array(0));
      return;
    }
    const { header, firstByte } = this.#begun;
    if (data.length !== header.bytes) {
      throw new FrameError(`${nameOf(header)}: expected ${header.bytes} bytes, got ${data.length}`);
    }
    this.#begun = undefined;
    this.#emit(header, firstByte, now, data);
  }

  #emit(header: FrameHeader, firstByte: number, lastByte: number, payload: Uint8Array): void {
    this.#onFrame({ header, payload, firstByte, lastByte, release: () => {} });
  }
}
