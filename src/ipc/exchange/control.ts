import { MessagePort } from "node:worker_threads";
import { type Refusal, WirebenchError } from "../../model/errors.ts";
import type { DatasetRecord } from "../../model/records/run.ts";
import { showStack } from "../../runtimes/launch/stacks.ts";
import { type Address, PeerLostError } from "../transport.ts";
import type { IpcJob, ListenerLog, Phase, TalkerLog } from "./job.ts";

/** What a coordinator asks of a talker or a listener, in this order, and what it is answered. */
export interface Commands {
  /** Loads the codec and the data. */
  bind: { ask: IpcJob; answer: Bound };
  /** Talkers only, and before the listeners connect. Answers an address per listener. */
  open: { ask: Sizes; answer: readonly Address[] };
  /** Listeners only: the addresses of all talkers. */
  connect: { ask: Sizes & { readonly addresses: readonly Address[] }; answer: undefined };
  /** Talkers only: waits for all listeners. */
  accept: { ask: undefined; answer: undefined };
  /** Its clock. */
  time: { ask: undefined; answer: number };
  /** Sends a phase's messages, or receives them. */
  talk: { ask: Phase; answer: TalkerLog };
  listen: { ask: Phase; answer: ListenerLog };
  close: { ask: undefined; answer: undefined };
}

/** The longest message, in bytes. */
export interface Sizes {
  readonly maxBytes: number;
}

/** What a talker or a listener knows once it has its codec. */
export type Bound =
  | { readonly refused: Refusal }
  | {
      /** Of each value that messages go round. */
      readonly encodedBytes: readonly number[];
      /** Where it was asked to describe it. */
      readonly dataset?: DatasetFacts;
    };

/** What a record says about a dataset beyond its name. */
export type DatasetFacts = Required<Pick<DatasetRecord, "sha256" | "values" | "int64">>;

/** One end of a connection for control, which carries no messages of the measurement. */
export interface ControlPort {
  post(message: unknown, moved: readonly MessagePort[]): void;
  onMessage(callback: (message: unknown) => void): void;
}

interface Request {
  readonly request: number;
  readonly command: keyof Commands;
  readonly ask: unknown;
}

/** What a talker or a listener says: an answer, or how many messages it has handled so far. */
type Reply =
  | { readonly to: number; readonly answer: unknown }
  | { readonly to: number; readonly error: SentError }
  | { readonly handled: number };

interface SentError {
  readonly message: string;
  /** `expected` has a text that says it all, `lost` is a peer's end and `bug` anything else. */
  readonly kind: "expected" | "lost" | "bug";
}

/** Handlers of all commands. */
export type Handlers = {
  readonly [Command in keyof Commands]: (
    ask: Commands[Command]["ask"],
  ) => Promise<Commands[Command]["answer"]> | Commands[Command]["answer"];
};

/** Answers a coordinator. Returns a function that reports how many messages were handled. */
export function serve(port: ControlPort, handlers: Handlers): (handled: number) => void {
  const reply = (message: Reply): void => port.post(message, portsIn(message));
  port.onMessage((message) => {
    const { request: to, command, ask } = message as Request;
    const handle = handlers[command] as (ask: unknown) => unknown;
    Promise.resolve()
      .then(() => handle(ask))
      .then(
        (answer) => reply({ to, answer }),
        (error: unknown) => reply({ to, error: sentError(error) }),
      );
  });
  return (handled) => reply({ handled });
}

/** The coordinator's side of {@link serve}: one talker or listener, to be asked. */
export class ControlClient {
  readonly #port: ControlPort;
  readonly #pending = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  #requests = 0;
  #gone: Error | undefined;

  /** @param onHandled called with how many messages were handled in a phase so far */
  constructor(port: ControlPort, onHandled: (messages: number) => void) {
    this.#port = port;
    port.onMessage((message) => {
      const reply = message as Reply;
      if ("handled" in reply) {
        onHandled(reply.handled);
        return;
      }
      const pending = this.#pending.get(reply.to);
      this.#pending.delete(reply.to);
      if ("error" in reply) pending?.reject(receivedError(reply.error));
      else pending?.resolve(reply.answer);
    });
  }

  /** Asks, and resolves with the answer. */
  ask<Command extends keyof Commands>(
    command: Command,
    ask: Commands[Command]["ask"],
  ): Promise<Commands[Command]["answer"]> {
    const request = this.#requests++;
    return new Promise((resolve, reject) => {
      if (this.#gone !== undefined) {
        reject(this.#gone);
        return;
      }
      this.#pending.set(request, { resolve: resolve as (answer: unknown) => void, reject });
      this.#port.post({ request, command, ask } satisfies Request, portsIn(ask));
    });
  }

  /** Makes all questions fail, those to come too: there is nobody who would answer. */
  end(error: Error): void {
    this.#gone = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

function sentError(error: unknown): SentError {
  if (error instanceof PeerLostError) return { message: error.message, kind: "lost" };
  if (error instanceof WirebenchError) return { message: error.message, kind: "expected" };
  showStack(error);
  return { message: error instanceof Error ? error.message : String(error), kind: "bug" };
}

function receivedError({ message, kind }: SentError): Error {
  if (kind === "lost") return new PeerLostError(message);
  return kind === "expected" ? new WirebenchError(message) : new Error(message);
}

/** Ports that a message moves to the other side. Processes have none. */
function portsIn(message: unknown): MessagePort[] {
  if (message instanceof MessagePort) return [message];
  if (typeof message !== "object" || message === null || ArrayBuffer.isView(message)) return [];
  return Object.values(message).flatMap(portsIn);
}
