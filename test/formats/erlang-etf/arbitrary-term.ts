/** fast-check arbitraries for terms: those of the typed view, and plain values. */
import fc from "fast-check";
import {
  Atom,
  BitBinary,
  Export,
  Float,
  Fun,
  ImproperList,
  Pid,
  Port,
  Reference,
  Tuple,
} from "../../../src/formats/erlang-etf/index.ts";

/** Creations of nodes that run are not 0; pids of 0 and our own node would be its processes. */
const creation = fc.integer({ min: 1, max: 0xffffffff });
const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const node = fc.constantFrom("nonode@nohost", "a@b", "日本@é");
const name = fc.oneof(
  fc.constantFrom("a", "b", "ok", "true", "false", "null", "undefined", "", "é", "日本", "x".repeat(255)),
  fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => text.isWellFormed()),
);

const integer = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.maxSafeInteger(),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(asInteger),
  fc.bigInt({ min: -(2n ** 2100n), max: 2n ** 2100n }).map(asInteger),
  fc.constantFrom(
    255,
    256,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31),
    -(2 ** 31) - 1,
    2 ** 53 - 1,
    2n ** 53n,
    2n ** 64n,
  ),
);

function asInteger(value: bigint): number | bigint {
  return value >= -(2n ** 53n) + 1n && value < 2n ** 53n ? Number(value) : value;
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const bytes = fc.uint8Array({ maxLength: 20 }).map((array) => new Uint8Array(array));

const pid = fc
  .tuple(node, uint32, uint32, creation)
  .map(([at, id, serial, made]) => new Pid(at, id & 0xfffffff, serial & 0x1fff, made));

const identifier = fc.oneof(
  pid,
  fc
    .tuple(
      node,
      fc.oneof(fc.integer({ min: 0, max: 2 ** 28 - 1 }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
      creation,
    )
    .map(([at, id, made]) => new Port(at, typeof id === "bigint" ? asInteger(id) : id, made)),
  fc
    .tuple(node, creation, fc.array(uint32, { minLength: 1, maxLength: 5 }))
    .map(([at, made, words]) => new Reference(at, made, [words[0]! & 0x3ffff, ...words.slice(1)])),
  fc.tuple(name, name, fc.nat(255)).map(([module, fun, arity]) => new Export(module, fun, arity)),
);

const bits = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 7 }))
  .map(([array, count]) => {
    const copy = new Uint8Array(array);
    copy[copy.length - 1]! &= 0xff << (8 - count);
    return new BitBinary(copy, count);
  });

/** Terms of the typed view, with maps in Erlang's order where `decode` gives them so. */
export function typedTerms({ funs = true } = {}): fc.Arbitrary<unknown> {
  const leaf = fc.oneof(
    { weight: 4, arbitrary: integer },
    { weight: 2, arbitrary: finite.map((value) => new Float(value)) },
    { weight: 3, arbitrary: name.map((text) => new Atom(text)) },
    { weight: 3, arbitrary: bytes },
    { weight: 1, arbitrary: bits },
    { weight: 2, arbitrary: identifier },
    { weight: 1, arbitrary: fc.array(fc.nat(255), { maxLength: 8 }) },
  );
  return fc.letrec<{ term: unknown }>((tie) => ({
    term: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      { weight: 6, arbitrary: leaf },
      { weight: 2, arbitrary: fc.array(tie("term"), { maxLength: 5 }) },
      { weight: 2, arbitrary: fc.array(tie("term"), { maxLength: 5 }).map((list) => new Tuple(list)) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.array(tie("term"), { minLength: 1, maxLength: 4 }), leaf)
          .map(([list, tail]) => (Array.isArray(tail) ? [...list, ...tail] : new ImproperList(list, tail))),
      },
      { weight: 3, arbitrary: mapOf(tie("term"), tie("term")) },
      {
        weight: funs ? 1 : 0,
        arbitrary: fc
          .tuple(
            pid,
            fc.array(tie("term"), { maxLength: 3 }),
            fc.uint8Array({ minLength: 16, maxLength: 16 }),
            fc.nat(0xffff),
          )
          .map(
            ([by, free, uniq, index]) =>
              new Fun({
                module: "lists",
                arity: 2,
                uniq: new Uint8Array(uniq),
                index,
                oldIndex: index & 0xfff,
                oldUniq: index * 7,
                pid: by,
                free,
              }),
          ),
      },
    ),
  })).term;
}

/** Maps whose keys are different terms, to Erlang as well, for which -0.0 is 0.0. */
function mapOf(
  key: fc.Arbitrary<unknown>,
  value: fc.Arbitrary<unknown>,
): fc.Arbitrary<Map<unknown, unknown>> {
  const selector = ([one]: [unknown, unknown]): string =>
    fc.stringify(one).replaceAll('"value":-0', '"value":0');
  return fc.uniqueArray(fc.tuple(key, value), { maxLength: 6, selector }).map((entries) => new Map(entries));
}

/** Values that decode to themselves by default. */
export function plainValues(): fc.Arbitrary<unknown> {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom("", "__proto__", "constructor", "toString", "日本語", "\u{1f600}", "\0"),
  );
  const leaf = fc.oneof(
    text,
    integer,
    finite,
    fc.boolean(),
    fc.constant(null),
    name.filter((one) => !["true", "false", "null"].includes(one)).map((one) => new Atom(one)),
    bits,
    pid,
  );
  return fc.letrec<{ term: unknown }>((tie) => ({
    term: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      { weight: 5, arbitrary: leaf },
      { weight: 2, arbitrary: fc.array(tie("term"), { maxLength: 6 }) },
      { weight: 1, arbitrary: fc.array(tie("term"), { maxLength: 4 }).map((list) => new Tuple(list)) },
      { weight: 4, arbitrary: fc.dictionary(text, tie("term"), { maxKeys: 8, noNullPrototype: true }) },
    ),
  })).term;
}
