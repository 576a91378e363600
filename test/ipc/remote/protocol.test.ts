/** What talkers and listeners on two machines tell each other comes from a network: nothing of it is believed. */
import { describe, expect, it } from "vitest";
import {
  controlBytes,
  type Hello,
  parseFromListener,
  parseHello,
  parseOver,
  readAck,
  writeAck,
} from "../../../src/ipc/remote/protocol.ts";

const hello: Hello = {
  kind: "hello",
  session: "0123456789abcdef".repeat(2),
  version: "0.1.0",
  codec: "msgpackr:records",
  library: "msgpackr",
  libraryVersion: "2.1.3",
  dataset: { name: "tellist:37", own: false, int64: "bigint", sha256: "0".repeat(64) },
  checksums: [1, 2 ** 32 - 1],
  maxBytes: 1849,
  messages: 100,
  warmup: 10,
  depth: 4,
};

describe("a control message", () => {
  const good = JSON.parse(Buffer.from(controlBytes(hello)).toString()) as object;
  const bytes = (fields: object): Uint8Array => Buffer.from(JSON.stringify({ ...good, ...fields }));

  it("comes back as it was", () => {
    expect(parseHello(bytes({}))).toEqual(hello);
  });

  it.each([
    [/protocol/, { protocol: 2 }],
    [/kind: expected hello, got "ready"/, { kind: "ready" }],
    [/session/, { session: `${"0".repeat(31)}*` }],
    [/codec: expected a name, got 5/, { codec: 5 }],
    [/codec: expected a name, got ""/, { codec: "" }],
    [/codec: expected a name, got "a.*2J"/, { codec: "a\u001b[2J" }],
    [/codec: expected a name, got "x+…"/, { codec: "x".repeat(201) }],
    [/dataset: expected an object/, { dataset: [] }],
    [/own: expected true or false, got nothing/, { dataset: { name: "tellist" } }],
    [/int64: expected number or bigint/, { dataset: { ...hello.dataset, int64: "text" } }],
    [/sha256/, { dataset: { ...hello.dataset, sha256: "0" } }],
    [/checksums: expected a list of 1 to 256, got a list of 0/, { checksums: [] }],
    [/checksums: expected a list of 1 to 256, got a list of 257/, { checksums: Array(257).fill(0) }],
    [/checksums: expected a whole number/, { checksums: [-1] }],
    [/maxBytes: expected a whole number/, { maxBytes: 1.5 }],
    [/messages: expected a whole number from 1/, { messages: 0 }],
    [/warmup: expected a whole number/, { warmup: "1" }],
    [/depth: expected a whole number from 1 to 1000/, { depth: 1e9 }],
  ])("is refused: %s", (problem, fields) => {
    expect(() => parseHello(bytes(fields))).toThrow(problem);
  });
});

describe("an answer of a listener", () => {
  const peer = { version: "1", library: "b", libraryVersion: "2", cpu: "c", cores: 2, os: "d", node: "20" };
  const said = (fields: object): Uint8Array => Buffer.from(JSON.stringify({ protocol: 1, ...fields }));

  it("comes back as it was", () => {
    for (const answer of [
      { kind: "heard" },
      { kind: "ready", peer },
      { kind: "refused", reason: "no" },
    ] as const) {
      expect(parseFromListener(controlBytes(answer))).toEqual(answer);
    }
    expect(parseOver(controlBytes({ kind: "over" }))).toEqual({ kind: "over" });
    expect(parseOver(controlBytes({ kind: "over", reason: "bye" }))).toEqual({ kind: "over", reason: "bye" });
  });

  it("has one line, and nothing that moves a cursor", () => {
    const reason = `a\u001b[2J\nb${"x".repeat(2000)}`;
    const parsed = parseFromListener(said({ kind: "refused", reason }));
    expect(parsed).toEqual({ kind: "refused", reason: expect.stringMatching(/^a \[2J bx{993}$/) });
  });

  it.each([
    [/kind: expected heard or ready or refused/, { kind: "over" }],
    [/reason: expected a text/, { kind: "refused" }],
    [/peer: expected an object/, { kind: "ready" }],
    [/cores: expected a whole number/, { kind: "ready", peer: { ...peer, cores: -1 } }],
    [/node: expected a name/, { kind: "ready", peer: { ...peer, node: {} } }],
  ])("is refused: %s", (problem, fields) => {
    expect(() => parseFromListener(said(fields))).toThrow(problem);
  });
});

describe("an ack", () => {
  it("comes back as it was", () => {
    const ack = { sequence: 4_000_000_000, decode: 123_456.75 };
    expect(readAck(writeAck(ack))).toEqual(ack);
  });

  it.each([
    ["nothing", new Uint8Array(0)],
    ["a byte too few", writeAck({ sequence: 1, decode: 1 }).subarray(1)],
    ["another mark", new Uint8Array(16)],
    ["a time below 0", writeAck({ sequence: 1, decode: -1 })],
    ["no time", writeAck({ sequence: 1, decode: Number.NaN })],
  ])("is refused: %s", (_, bytes) => {
    expect(() => readAck(bytes)).toThrow(/^ack/);
  });
});
