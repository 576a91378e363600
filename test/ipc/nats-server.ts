/** Starts a NATS server of its own for a test. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface NatsServer {
  /** `nats://127.0.0.1:PORT` */
  readonly address: string;
  /** Ends it at once, and removes what it had. */
  stop(): Promise<void>;
}

/** @param settings of its configuration; its port is one that is free */
export async function startNatsServer(
  settings: Readonly<Record<string, number | string>> = {},
): Promise<NatsServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-nats-"));
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(path.join(folder, "server.conf"), `listen: "127.0.0.1:-1"\n${lines.join("")}`);
  const server = spawn("nats-server", ["-c", "server.conf"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => server.on("close", () => resolve()));
  const stop = async (): Promise<void> => {
    server.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  // A test that is broken off leaves nothing that runs.
  process.once("exit", () => server.kill("SIGKILL"));
  let log = "";
  const address = await new Promise<string>((resolve, reject) => {
    server.on("error", reject);
    server.on("close", (code) => reject(new Error(`nats-server ended with ${code}: ${log}`)));
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const [, found] = /client connections on (\S+)/.exec(log) ?? [];
      if (found !== undefined && log.includes("Server is ready")) resolve(`nats://${found}`);
    });
  }).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  return { address, stop };
}
