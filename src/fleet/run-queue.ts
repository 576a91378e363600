/** What a run has on the server: its work queue, its events and its objects. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Consumer, JsMsg, NatsError, ObjectStore } from "nats";
import { WirebenchError } from "../model/errors.ts";
import type { Connection } from "./connection.ts";
import { ACK_WAIT_MS } from "./ledger.ts";
import {
  type BlockMessage,
  type Digest,
  type FleetEvent,
  type FleetId,
  FleetMessageError,
  isRunStream,
  type Lane,
  MAX_DELIVERIES,
  MESSAGE_BYTES,
  messageBytes,
  namesOf,
  readMessage,
} from "./messages.ts";

/** Nothing of a run stays on a server for longer, in milliseconds: also where its coordinator was killed. */
const AGE_LIMIT_MS = 24 * 3600 * 1000;

/** Most bytes of an object: the journal of a block of the largest matrices has less than a tenth of it. */
export const OBJECT_BYTES = 256 * 1024 * 1024;

/** Milliseconds in which an object comes, or it is asked for again. */
const OBJECT_MS = 30_000;

/** Milliseconds for which a worker asks for a block at a time. */
const PULL_MS = 1000;

const NANOS_PER_MS = 1_000_000;

/** The streams of one run. */
export class RunQueue {
  readonly #connection: Connection;
  readonly #ask: Connection["ask"];
  readonly #names: ReturnType<typeof namesOf>;
  readonly #consumers = new Map<Lane, Consumer>();
  #objects: ObjectStore | undefined;

  /** @param signal ends whatever waits for the server; {@link remove} goes on */
  constructor(connection: Connection, run: FleetId, signal: AbortSignal) {
    this.#connection = connection;
    this.#ask = (what) => connection.ask(what, signal);
    this.#names = namesOf(run);
  }

  /** Makes them. */
  async create(): Promise<void> {
    const { manager, streams } = this.#connection;
    const { RetentionPolicy, StorageType } = await import("nats");
    const shared = {
      storage: StorageType.File,
      max_age: AGE_LIMIT_MS * NANOS_PER_MS,
      max_msg_size: MESSAGE_BYTES,
    };
    const { queue, blocks, eventStream, events, bucket } = this.#names;
    await this.#ask(() =>
      manager.streams.add({
        ...shared,
        name: queue,
        subjects: [blocks("*")],
        retention: RetentionPolicy.Workqueue,
      }),
    );
    await this.#ask(() => manager.streams.add({ ...shared, name: eventStream, subjects: [events] }));
    const ttl = AGE_LIMIT_MS * NANOS_PER_MS;
    this.#objects = await this.#ask(() => streams.views.os(bucket, { ttl, storage: StorageType.File }));
  }

  /** Removes them, as far as they are there. */
  async remove(): Promise<void> {
    const { queue, eventStream, bucket } = this.#names;
    for (const name of [queue, eventStream, `OBJ_${bucket}`]) await removeStream(this.#connection, name);
  }

  /** Makes a lane's consumer, if it is not there. */
  async addLane(lane: Lane): Promise<void> {
    const { AckPolicy } = await import("nats");
    const { manager } = this.#connection;
    await this.#ask(() =>
      manager.consumers.add(this.#names.queue, {
        durable_name: lane,
        filter_subject: this.#names.blocks(lane),
        ack_policy: AckPolicy.Explicit,
        ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
        max_deliver: MAX_DELIVERIES,
      }),
    );
  }

  /** Hands out a block. Returns the number of its message. @param turn times that any block of the run was handed out */
  async hand(lane: Lane, message: BlockMessage, turn: number): Promise<number> {
    const { streams } = this.#connection;
    // The server drops a second one, where only its answer was lost.
    const msgID = `${message.block}-${turn}`;
    const { seq } = await this.#ask(() =>
      streams.publish(this.#names.blocks(lane), messageBytes(message), { msgID }),
    );
    return seq;
  }

  /** Takes a message back, if it is still there. */
  async withdraw(sequence: number): Promise<void> {
    const { manager } = this.#connection;
    await this.#ask(() => unlessMissing(manager.streams.deleteMessage(this.#names.queue, sequence), false));
  }

  /** The next message of a lane; undefined where none came in a second, the server is away or the run is over. */
  async next(lane: Lane): Promise<JsMsg | undefined> {
    const { streams } = this.#connection;
    try {
      const consumer =
        this.#consumers.get(lane) ?? (await this.#ask(() => streams.consumers.get(this.#names.queue, lane)));
      this.#consumers.set(lane, consumer);
      return (await consumer.next({ expires: PULL_MS, bind: true })) ?? undefined;
    } catch (error) {
      // Whether the run is over, its coordinator says.
      if (error instanceof WirebenchError || (error as Error).name === "NatsError") return undefined;
      throw error;
    }
  }

  /** Says what became of a block. */
  async tell(event: FleetEvent): Promise<void> {
    const { streams } = this.#connection;
    await this.#ask(() => streams.publish(this.#names.events, messageBytes(event)));
  }

  /** The events after a number, each with its own; one that is none of ours is undefined. */
  async *events(after: number): AsyncGenerator<readonly [sequence: number, event: FleetEvent | undefined]> {
    const { manager } = this.#connection;
    for (let seq = after + 1; ; seq++) {
      const message = await this.#ask(() =>
        unlessMissing(manager.streams.getMessage(this.#names.eventStream, { seq }), undefined),
      );
      if (message === undefined) return;
      yield [seq, eventOf(message.data)];
    }
  }

  /** Keeps bytes under their hash. */
  async put(bytes: Uint8Array): Promise<Digest> {
    if (bytes.length > OBJECT_BYTES) {
      throw new FleetMessageError(`an object: expected at most ${OBJECT_BYTES} bytes, got ${bytes.length}`);
    }
    const name = digestOf(bytes);
    const store = await this.#store();
    await this.#ask(() => store.putBlob({ name }, bytes));
    return name;
  }

  /** The bytes of a hash. Throws FleetMessageError where others are there, or none. */
  async get(name: Digest): Promise<Uint8Array> {
    const store = await this.#store();
    return this.#ask(async () => {
      const object = await store.get(name);
      if (object === null) throw new FleetMessageError(`object ${name}: it is not there`);
      object.error.catch(() => {});
      const bytes = await inTime(bytesOf(object.data, name));
      if (digestOf(bytes) !== name)
        throw new FleetMessageError(`object ${name}: its bytes have another hash`);
      return bytes;
    });
  }

  /** Of a run that is there: to open it would make it. */
  async #store(): Promise<ObjectStore> {
    const { streams, manager } = this.#connection;
    const { bucket } = this.#names;
    this.#objects ??= await this.#ask(async () => {
      await manager.streams.info(`OBJ_${bucket}`);
      return streams.views.os(bucket);
    });
    return this.#objects;
  }
}

/** Removes what runs left behind whose coordinators were killed: of those that may be there still, nothing is in use. */
export async function removeOrphans(connection: Connection): Promise<void> {
  const oldest = Date.now() - AGE_LIMIT_MS;
  const old: string[] = [];
  for await (const { config, created } of connection.manager.streams.list()) {
    if (isRunStream(config.name) && Date.parse(created) < oldest) old.push(config.name);
  }
  for (const name of old) await removeStream(connection, name);
}

async function removeStream({ ask, manager }: Connection, name: string): Promise<void> {
  await ask(() => unlessMissing(manager.streams.delete(name), false));
}

/** What a promise gives, or something else where the server says that there is no such stream or message. */
async function unlessMissing<T, U>(promise: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await promise;
  } catch (error) {
    const { code, message } = error as NatsError;
    // To delete one that is gone is another error to the server than to read it: "sequence 2 not found".
    if (code === "404" || /not? .*found$/.test(message)) return otherwise;
    throw error;
  }
}

function eventOf(data: Uint8Array): FleetEvent | undefined {
  try {
    return readMessage("FleetEvent", data);
  } catch (error) {
    if (error instanceof FleetMessageError) return undefined;
    throw error;
  }
}

async function bytesOf(stream: ReadableStream<Uint8Array>, name: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > OBJECT_BYTES)
      throw new FleetMessageError(`object ${name}: expected at most ${OBJECT_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

/** What a promise gives, or the client's own error for what takes too long: as where the server went away meanwhile. */
async function inTime<T>(promise: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = sleep(OBJECT_MS, undefined, { signal: timer.signal }).then(() => {
    throw Object.assign(new Error("no answer"), { code: "TIMEOUT" });
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
  }
}

function digestOf(bytes: Uint8Array): Digest {
  return createHash("sha256").update(bytes).digest("hex");
}
