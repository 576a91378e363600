/** Protobuf's official conformance suite: what it accepted of wirebench is still what wirebench answers. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

type Input = readonly [form: "protobuf" | "json" | "text", content: string];
type Output = "protobuf" | "json";
type Answer = string | false | null;
type Answerer = (message: string, input: Input, output: Output) => Answer | undefined;

const folder = path.join(import.meta.dirname, "../vectors/protobuf-conformance");
const { answerer } = (await import(path.join(folder, "answer.js"))) as {
  answerer: (root: string, extension: string) => Promise<Answerer>;
};
const answer = await answerer(path.join(import.meta.dirname, "../../src"), ".ts");

const vectors = readFileSync(path.join(folder, "vectors.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map(
    (line) => JSON.parse(line) as readonly [message: string, input: Input, output: Output, answer: Answer],
  );

describe.each([...new Set(vectors.map(([message]) => message))])("%s in the conformance suite", (message) => {
  it.each(["protobuf", "json", "text"])("is read from %s as the suite wants it", (form) => {
    const own = vectors.filter(([of, [from]]) => of === message && from === form);
    expect(own.length).toBeGreaterThan(7);
    for (const [, input, output, expected] of own)
      expect(answer(message, input, output), `${input[1]} as ${output}`).toBe(expected);
  });
});
