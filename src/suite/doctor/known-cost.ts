/**
 * A plugin that `wirebench doctor` measures as any other. Its codec costs a known time: writing is a chain of
 * multiplications, each of which waits for the one before. Its variants are real codecs that cost each other's time and a
 * known share more: a call of theirs encodes or decodes the same message over and over.
 */
import { codecOf } from "../../catalog/named-codec.ts";
import { type Binding, type CodecDefinition, type CodecVariant, defineCodec } from "../../model/codec.ts";
import type { Value } from "../../model/value.ts";
import { INJECTED, MESSAGES, SLOWED, slowedBy, TURNS, unslowed } from "./known-shares.ts";

/** Some state that no compiler can foresee, after `count` turns that depend on each other. */
export function spin(state: number, count: number): number {
  let x = state | 1;
  for (let i = 0; i < count; i++) x = Math.imul(x, 0x9e3779b1) ^ (x >>> 15);
  return x;
}

let state = 1;

/** The message is the number as a character, which costs next to nothing; a number that is not one is lost. */
const busy: CodecVariant = {
  summary: `spends ${TURNS} turns of a loop on each message that it writes`,
  bind: (): Binding => ({
    build: (value) => value,
    write: (value) => {
      state = spin(state, TURNS);
      return String.fromCharCode((value as { n: number }).n);
    },
    read: (text) => ({ n: (text as string).charCodeAt(0) }),
    plain: (value) => value as { n: number },
    access: (text) => (text as string).charCodeAt(0),
    text: "utf16",
    direct: { build: true, plain: true },
    verify: () => {},
  }),
};

/** Every result goes through here, so that V8 cannot leave out those that are not given. */
const sink: { value: unknown } = { value: undefined };

/** Codecs that are slowed, by their names. They are imported so that a bundler sees it: a page has no files. */
const CODECS: Readonly<Record<string, () => Promise<{ readonly default: CodecDefinition }>>> = {
  json: () => import("../../codecs/json.ts"),
  protobufjs: () => import("../../codecs/protobufjs/index.ts"),
};

/** A codec whose call encodes or decodes a message so many times, and gives the last result, which is new as all are. */
function repeated(codec: string, messages: number): CodecVariant {
  return {
    summary: `${codec}, ${messages} times in a call`,
    bind: async (dataset): Promise<Binding> => {
      const inner = await codecOf(codec, (await CODECS[codec]!()).default, "").bind(dataset);
      // Read from memory: for a number that it knows, V8 could make code that differs from variant to variant.
      const count = Int32Array.of(messages);
      return {
        build: (value) => value,
        write: (value) => {
          let result = inner.write(inner.build(value as Value));
          for (let i = 1; i < count[0]!; i++) {
            sink.value = result;
            result = inner.write(inner.build(value as Value));
          }
          return result;
        },
        read: (bytes) => {
          let result = inner.plain(inner.read(bytes));
          for (let i = 1; i < count[0]!; i++) {
            sink.value = result;
            result = inner.plain(inner.read(bytes));
          }
          return result;
        },
        plain: (value) => value as Value,
        access: (bytes) => inner.access(bytes),
        text: inner.text,
        direct: { build: true, plain: true },
        varies: inner.varies === true,
        verify: (bytes) => inner.verify(bytes),
      };
    },
  };
}

export default defineCodec({
  format: "none",
  ...busy,
  variants: Object.fromEntries(
    SLOWED.flatMap((codec) => [
      [variantOf(unslowed(codec)), repeated(codec, MESSAGES)],
      ...[...INJECTED].map(
        ([name, share]) =>
          [variantOf(slowedBy(codec, name)), repeated(codec, Math.round(MESSAGES * (1 + share)))] as const,
      ),
    ]),
  ),
});

/** What stands after the colon. */
function variantOf(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
