import { parentPort } from "node:worker_threads";
import type { Port } from "../exchange/control.ts";
import { isKinMessage } from "./kin.ts";

/**
 * The way to whoever started this talker or listener: a coordinator, or a relative that passes on what a
 * coordinator says. A process ends with it.
 * @param abandon clears up after a coordinator that is gone
 */
export function controlPort(abandon: () => void): Port {
  if (parentPort !== null) {
    const port = parentPort;
    return {
      post: (message, moved) => port.postMessage(message, moved),
      onMessage: (callback) => port.on("message", callback),
    };
  }
  process.on("disconnect", () => {
    abandon();
    process.exit(1);
  });
  // Ctrl-C and `kill` reach the whole group; the coordinator decides what happens to its children.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  return {
    // Who is gone is told by `disconnect`.
    post: (message) => void process.send?.(message, undefined, undefined, () => {}),
    onMessage: (callback) =>
      process.on("message", (message) => {
        if (!isKinMessage(message)) callback(message);
      }),
  };
}
