/** A connection to a NATS server with JetStream that outlives a restart of the server. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionOptions, JetStreamClient, JetStreamManager, NatsConnection, NatsError } from "nats";
import { natsAddress } from "../ipc/wire/nats.ts";
import { defined } from "../model/defined.ts";
import { fileProblem, UsageError, WirebenchError } from "../model/errors.ts";

/** Where a NATS server is, and what proves to it who one is, and to whom it proves itself. */
export interface NatsServer {
  /** `nats://host:4222`. */
  readonly address: string;
  /** File of credentials, as `nsc` writes them. */
  readonly natsCreds?: string;
  /** Files in PEM: the authority that the server's certificate is of, and the client's own certificate and key. */
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** Milliseconds for which the server may be away before one gives up. */
const OUTAGE_MS = 60_000;

/** Milliseconds after which something that the server did not answer is asked again. */
const ANSWER_MS = 4000;

/** Milliseconds between two attempts. */
const RETRY_MS = 300;

/** What the client says while a server is away or begins again. */
const PASSING = new Set([
  "TIMEOUT",
  "503",
  "DISCONNECT",
  "CONNECTION_REFUSED",
  "CONNECTION_TIMEOUT",
  "REQUEST_ERROR",
]);

/** See {@link connectTo}. */
export interface Connection {
  /** The server's address, without a password. */
  readonly shown: string;
  readonly nats: NatsConnection;
  readonly streams: JetStreamClient;
  readonly manager: JetStreamManager;
  /**
   * Asks the server something, again and again while it is away. Throws WirebenchError where it objects or stays away,
   * and the signal's reason once that is aborted.
   */
  ask<T>(what: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Whether the server is away at the moment. */
  readonly isAway: boolean;
  /** Calls back whenever the server is there again. */
  onReturn(callback: () => void): void;
}

/**
 * Connects. Throws UsageError for an address that is none, for a file that cannot be read and for a server without
 * JetStream, and WirebenchError where no server answers.
 * @param name by which the server lists this client
 */
export async function connectTo(server: NatsServer, name: string): Promise<Connection> {
  const { shown, server: host, login } = natsAddress(server.address);
  const { connect, credsAuthenticator } = await import("nats");
  const options: ConnectionOptions = {
    servers: host,
    name,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    timeout: ANSWER_MS,
    pingInterval: ANSWER_MS,
    ...login,
    ...tlsOf(server),
    ...(server.natsCreds === undefined
      ? {}
      : { authenticator: credsAuthenticator(contentOf("nats-creds", server.natsCreds)) }),
  };
  const nats = await connect(options).catch((error: unknown) => {
    throw new WirebenchError(`${shown}: cannot connect to a NATS server there: ${reasonOf(error)}`, {
      cause: error,
    });
  });
  try {
    const manager = await nats.jetstreamManager({ timeout: ANSWER_MS });
    return connectionOf(shown, nats, manager);
  } catch (error) {
    await nats.close();
    throw new UsageError(`${shown}: expected a server with JetStream: ${reasonOf(error)}`, { cause: error });
  }
}

function connectionOf(shown: string, nats: NatsConnection, manager: JetStreamManager): Connection {
  const listeners: (() => void)[] = [];
  let isAway = false;
  void (async () => {
    for await (const { type } of nats.status()) {
      if (String(type) === "disconnect") isAway = true;
      if (String(type) !== "reconnect") continue;
      isAway = false;
      for (const listener of listeners) listener();
    }
  })();
  return {
    get isAway() {
      return isAway;
    },
    shown,
    nats,
    manager,
    streams: nats.jetstream({ timeout: ANSWER_MS }),
    onReturn: (callback) => void listeners.push(callback),
    ask: async (what, signal) => {
      const until = Date.now() + OUTAGE_MS;
      for (;;) {
        signal?.throwIfAborted();
        try {
          return await what();
        } catch (error) {
          if (error instanceof WirebenchError) throw error;
          const isPassing = PASSING.has((error as NatsError).code);
          if (isPassing && Date.now() < until) await sleep(RETRY_MS);
          else throw new WirebenchError(`${shown}: ${reasonOf(error)}`, { cause: error });
        }
      }
    },
  };
}

function tlsOf({ tlsCa, tlsCert, tlsKey }: NatsServer): Pick<ConnectionOptions, "tls"> {
  const files = { ca: tlsCa, cert: tlsCert, key: tlsKey };
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new UsageError("tls: expected --tls-cert and --tls-key together, got one of them");
  }
  const texts = Object.entries(files).flatMap(([name, file]) =>
    file === undefined ? [] : [[name, new TextDecoder().decode(contentOf(`tls-${name}`, file))] as const],
  );
  return texts.length === 0 ? {} : { tls: defined(Object.fromEntries(texts)) };
}

function contentOf(option: string, file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`--${option} ${file}: ${fileProblem(error)}`);
  }
}

/** What the client or the system says, with the cause that it hides behind a code of its own. */
export function reasonOf(error: unknown): string {
  const { message, chainedError } = error as Error & { chainedError?: Error };
  return [message, chainedError?.message].filter(Boolean).join(": ");
}
