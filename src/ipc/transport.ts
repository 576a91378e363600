import { readdirSync } from "node:fs";
import path from "node:path";
import { UsageError, WirebenchError } from "../model/errors.ts";
import { nearNames } from "../model/near-names.ts";
import { OWN_EXTENSION, OWN_MODULES } from "../model/package-files.ts";
import type { IpcScope, Reliability } from "../model/records/ipc.ts";
import type { Clock } from "./clock.ts";
import type { FrameHeader } from "./wire/frame.ts";

/** What both ends of a transport know of their exchange. */
export interface Setup {
  readonly talkers: number;
  readonly listeners: number;
  /** This talker's or listener's number, from 0. */
  readonly id: number;
  readonly reliability: Reliability;
  /** Messages that may be on their way to a listener, or that a queue keeps. */
  readonly depth: number;
  /** The longest message, without its header. */
  readonly maxBytes: number;
  /** A folder of this exchange alone, for sockets and the like; whoever needs it makes it. Its path is short. */
  readonly folder: string;
  /** What follows the transport's name on the command line, as a server's address. */
  readonly address: string;
  readonly clock: Clock;
}

/**
 * What carries messages from talkers to listeners. A talker opens its end first, with an address for each listener; then the
 * listeners connect to all talkers, and each talker waits until all its listeners are there.
 */
export interface TransportDefinition {
  /** One line: what carries the bytes. */
  readonly summary: string;
  readonly scope: IpcScope;
  /** What follows its name, as in `nats://host:4222`: absent where nothing does. */
  readonly takes?: { readonly what: string; readonly example: string; readonly required: boolean };
  /** Set where talkers and listeners have to be parent and child, whose channel they then share. */
  readonly parentAndChild?: true;
  /** A folder that an exchange has beside its own, and that has to go with it. */
  readonly folderBeside?: (setup: Pick<Setup, "folder" | "address">) => string;
  open(setup: Setup): Promise<OpenEnd>;
  /** @param addresses one per talker */
  connect(setup: Setup, addresses: readonly Address[]): Promise<ListenerEnd>;
}

/** Gives a transport file its types. */
export function defineTransport(definition: TransportDefinition): TransportDefinition {
  return definition;
}

/** Where a listener finds a talker: whatever structured clone carries. */
export type Address = unknown;

/** A talker's end before its listeners are there. */
export interface OpenEnd {
  /** One per listener. */
  readonly addresses: readonly Address[];
  /** Resolves once every listener has connected. */
  accept(): Promise<TalkerEnd>;
  close(): Promise<void>;
}

/** A talker's end. */
export interface TalkerEnd {
  /** The links that a message goes over: one to each listener, or one to all. */
  readonly links: readonly Link[];
  /** Called with each message that a listener is done with. */
  onAck(callback: (listener: number) => void): void;
  /** Called once if a listener is gone, or sends what makes no sense. */
  onError(callback: (error: Error) => void): void;
  close(): Promise<void>;
}

/** What carries messages to some listeners, one at a time. */
export interface Link {
  /** Whom it leads to, by their numbers. */
  readonly listeners: readonly number[];
  /**
   * Sends a frame. Resolves once it cannot be withdrawn and its bytes may be overwritten; until then nothing
   * else may be sent.
   */
  send(header: Uint8Array, payload: Uint8Array): Promise<void>;
}

/** A listener's end. */
export interface ListenerEnd {
  /** The next frame; waits for it. Rejects when a talker is gone, or sends what is no frame. */
  receive(): Promise<Arrival>;
  /** Tells a talker that its message is done with. */
  ack(talker: number): void;
  /** Called with each message that is lost here. */
  onDrop(callback: (drop: Drop) => void): void;
  close(): Promise<void>;
}

/** A frame that has arrived. */
export interface Arrival {
  readonly header: FrameHeader;
  /** Holds until `release` is called. */
  readonly payload: Uint8Array;
  /** When its first and its last byte were there. */
  readonly firstByte: number;
  readonly lastByte: number;
  release(): void;
}

/** A message that a listener will never see. */
export interface Drop {
  readonly talker: number;
  readonly sequence: number;
  readonly place: "overwritten" | "receiver";
}

/** A peer that was there and is gone: seldom the cause of a failure, and mostly its consequence. */
export class PeerLostError extends WirebenchError {}

const FOLDER = new URL("ipc/transports/", OWN_MODULES);

/** Names of the transports: those of the files in `transports/`. */
export function transportNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(OWN_EXTENSION) && !file.endsWith(".d.ts"))
    .map((file) => path.basename(file, OWN_EXTENSION))
    .sort();
}

/** The transport of that name. Throws UsageError with the near names. */
export async function transportNamed(name: string): Promise<TransportDefinition> {
  const known = transportNames();
  if (!known.includes(name)) throw new UsageError(`unknown transport "${name}"${nearNames(name, known)}`);
  return ((await import(new URL(`${name}${OWN_EXTENSION}`, FOLDER).href)) as { default: TransportDefinition })
    .default;
}
