/** Lines that a measuring process writes, of which only messages are taken. */
import { describe, expect, it } from "vitest";
import type { WorkerMessage } from "../../src/measure/job.ts";
import { MessageError, messagesIn } from "../../src/runtimes/launch/messages.ts";

async function* streamOf(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

async function read(chunks: readonly string[], members = 0, limit?: number): Promise<WorkerMessage[]> {
  const messages: WorkerMessage[] = [];
  for await (const message of messagesIn(streamOf(chunks), members, limit)) messages.push(message);
  return messages;
}

const result = { members: [] };

describe("messages in lines", () => {
  it("are the same however the lines are cut", async () => {
    const text = `{"after":"a"}\n${JSON.stringify({ timed: result })}\n${JSON.stringify({ result })}\n`;
    const whole = [{ after: "a" }, { timed: result }, { result }];
    expect(await read([text])).toEqual(whole);
    expect(await read([...text])).toEqual(whole);
  });

  it("are none without an end", async () => {
    expect(await read(['{"after":"a"}\n', '{"after":'])).toEqual([{ after: "a" }]);
  });

  it.each([
    "",
    "garbage",
    "3",
    "null",
    "[]",
    "{}",
    '{"after":3}',
    '{"result":null}',
    '{"result":{}}',
    '{"timed":{"members":{}}}',
    '{"result":{"members":[]}}',
    '{"result":{"members":[null]}}',
    '{"result":{"members":[{"operations":{}}]}}',
    '{"result":{"members":[{"operations":[{"operation":"encode"}]}]}}',
    '{"sent":null}',
    '{"sent":{"member":1,"format":"json","encoded":""}}',
    '{"sent":{"member":-1,"format":"json","encoded":""}}',
    '{"sent":{"member":0.5,"format":"json","encoded":""}}',
    '{"sent":{"member":0,"format":3,"encoded":""}}',
    '{"sent":{"member":0,"format":"json","encoded":[]}}',
  ])("are not %j", async (line) => {
    await expect(read([`${line}\n`], 1)).rejects.toThrow(MessageError);
  });

  it("are shown where they are wrong, as far as a line goes", async () => {
    await expect(read([`${"x".repeat(1000)}\n`])).rejects.toThrow(
      `expected a message, got "${"x".repeat(40)}…"`,
    );
  });

  it("are not waited for in a line without bounds", async () => {
    let chunks = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        chunks += 1;
        yield "x".repeat(10);
      }
    }
    const first = messagesIn(endless(), 0, 100).next();
    await expect(first).rejects.toThrow("expected a line of 100 characters or fewer, got 110 or more");
    expect(chunks).toBe(11);
  });
});
