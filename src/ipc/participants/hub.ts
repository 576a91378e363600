/**
 * Talkers and listeners that are parent and children, because their transport is the channel that Node gives
 * these. The parent, the hub, starts the others and passes on what they and the coordinator have to say to each
 * other. Messages of the measurement take the same channels, marked so that none is taken for the other.
 */
import type { ChildProcess } from "node:child_process";
import { endingOf, endingReason, startProcess } from "../../runtimes/launch/child-process.ts";
import { CPU_SECONDS, type Part, partName } from "../exchange/job.ts";

/** Between a coordinator and a hub: about a child of the hub, by its name. */
export type Relayed = { readonly child: string } & (
  | { readonly start: true }
  | { readonly message: unknown }
  | { readonly gone: string }
  | { readonly pid: number }
);

/** Between parent and child: a message of the measurement, or that it is done with. */
export type FamilyMessage =
  | { readonly between: "frame"; readonly header: Uint8Array; readonly payload: Uint8Array }
  | { readonly between: "ack" };

/** Whether what came over a channel is none of the coordinator's commands. */
export function isFamilyMessage(message: unknown): boolean {
  return typeof message === "object" && message !== null && ("child" in message || "between" in message);
}

/** A channel to a parent or a child. */
export interface FamilyChannel {
  /** Calls back once the message was written. */
  send(message: FamilyMessage, callback: (error: Error | null) => void): void;
  onMessage(callback: (message: FamilyMessage) => void): void;
  onGone(callback: () => void): void;
}

const children = new Map<string, ChildProcess>();

/** The channel to a child of that name, or else to the parent. */
export function familyChannel(part: Part): FamilyChannel {
  const end: NodeJS.Process | ChildProcess = children.get(partName(part)) ?? process;
  return {
    send: (message, callback) => void end.send!(message, undefined, undefined, callback),
    onMessage: (callback) =>
      void (end as NodeJS.EventEmitter).on("message", (message: unknown) => {
        if (typeof message === "object" && message !== null && "between" in message) {
          callback(message as FamilyMessage);
        }
      }),
    onGone: (callback) => void end.on("disconnect", callback),
  };
}

/**
 * Makes this process a hub as soon as its coordinator asks it to start a child.
 * @param file the program of talkers and listeners
 */
export function serveAsHub(file: string): void {
  process.on("message", (message: Relayed) => {
    if (typeof message !== "object" || message === null || !("child" in message)) return;
    const { child } = message;
    if ("start" in message) startChild(child, file);
    else if ("message" in message) children.get(child)?.send(message.message as object, () => {});
  });
}

function startChild(name: string, file: string): void {
  const child = startProcess(file, CPU_SECONDS);
  const report = (relayed: Relayed): void => void process.send?.(relayed, undefined, undefined, () => {});
  children.set(name, child);
  child.on("message", (message) => {
    if (!isFamilyMessage(message)) report({ child: name, message });
  });
  void endingOf(child).then((ending) => report({ child: name, gone: endingReason(ending) }));
  if (child.pid !== undefined) report({ child: name, pid: child.pid });
}
