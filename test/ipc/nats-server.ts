/** Starts a NATS server of its own for a test. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface NatsServer {
  /** `nats://127.0.0.1:PORT` */
  readonly address: string;
  /** Ends it at once, and removes what it had. */
  stop(): Promise<void>;
  /** Ends it at once, and starts it again some time later, with what it had, in milliseconds. */
  restart(after?: number): Promise<void>;
}

/** The settings of a server that keeps streams in its folder. */
export const JETSTREAM = { jetstream: "{ store_dir: streams }" };

/** @param settings of its configuration; its port is one that is free */
export async function startNatsServer(
  settings: Readonly<Record<string, number | string>> = {},
): Promise<NatsServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-nats-"));
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${value}\n`);
  const started = (listen: string): Promise<Started> => {
    writeFileSync(path.join(folder, "server.conf"), `listen: "${listen}"\n${lines.join("")}`);
    return startIn(folder);
  };
  let server: Started;
  try {
    server = await started("127.0.0.1:-1");
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  // A test that is broken off leaves nothing that runs.
  process.once("exit", () => server.process.kill("SIGKILL"));
  const end = async (): Promise<void> => {
    server.process.kill("SIGKILL");
    await server.ended;
  };
  return {
    address: `nats://${server.address}`,
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
    restart: async (after = 0) => {
      await end();
      await sleep(after);
      server = await started(server.address);
    },
  };
}

interface Started {
  readonly process: ChildProcess;
  /** `127.0.0.1:PORT` */
  readonly address: string;
  readonly ended: Promise<void>;
}

/** Starts one as the configuration in a folder says, and waits until it is ready. */
async function startIn(folder: string): Promise<Started> {
  const server = spawn("nats-server", ["-c", "server.conf"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => server.on("close", () => resolve()));
  let log = "";
  const address = await new Promise<string>((resolve, reject) => {
    server.on("error", reject);
    server.on("close", (code) => reject(new Error(`nats-server ended with ${code}: ${log}`)));
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const [, found] = /client connections on (\S+)/.exec(log) ?? [];
      if (found !== undefined && log.includes("Server is ready")) resolve(found);
    });
  });
  return { process: server, address, ended };
}
