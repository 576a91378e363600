/** What a reference program is started with, and what ends it. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { NATIVE_PROTOCOL, startNative } from "../../src/runtimes/native/conversation.ts";

const FAKE = [process.execPath, path.join(import.meta.dirname, "../native/fake/fake.js")];

describe("a program that hangs", () => {
  it("is ended after a silence, and the reason has what it said last", async () => {
    const job = { protocol: NATIVE_PROTOCOL, system: "json:hangs" } as const;
    const { messages, ended } = startNative(FAKE, job, { cpuSeconds: 60, silenceSeconds: 6 });
    const heard: string[] = [];
    const listening = (async () => {
      for await (const message of messages) heard.push(...Object.keys(message));
    })();
    await expect(listening).rejects.toThrow("hung: nothing came for 6 s: waiting for ever");
    expect(heard).toEqual(["hello"]);
    expect(await ended).toMatchObject({ killedBy: "SIGKILL" });
  });

  it("is ended by a signal", async () => {
    const stop = new AbortController();
    const job = { protocol: NATIVE_PROTOCOL, system: "json:hangs" } as const;
    const { messages, ended } = startNative(FAKE, job, { cpuSeconds: 60, signal: stop.signal });
    for await (const _ of messages) stop.abort();
    expect(await ended).toMatchObject({ killedBy: "SIGKILL" });
  });
});
