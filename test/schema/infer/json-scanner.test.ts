/** The scanner takes what JSON.parse takes, and comments; what it refuses has its place. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutDuplicates } from "../../../src/schema/infer/duplicates.ts";
import { Evidence } from "../../../src/schema/infer/evidence.ts";
import { JsonFault, JsonScanner } from "../../../src/schema/infer/json-scanner.ts";
import { cases, SEED } from "../../seed.ts";

function scan(text: string): Evidence {
  const root = new Evidence();
  new JsonScanner().document(root, Buffer.from(text));
  return root;
}

function fault(text: string): string | undefined {
  try {
    scan(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return `${error.offset}: ${error.message}`;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("what JSON.parse takes", () => {
  it("is taken, however it is spaced", () => {
    const spaced = fc.tuple(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, "\t"));
    fc.assert(
      fc.property(spaced, ([text, indent]) => {
        const value: unknown = JSON.parse(text);
        expect(fault(JSON.stringify(value, null, indent))).toBeUndefined();
      }),
      { seed: SEED, numRuns: cases(2000) },
    );
  });

  it("is all that is taken: changed texts are refused where JSON.parse refuses them", () => {
    const signs = [...'{}[]":,.-+eE0129tfn\\/u \n\ta'];
    const change = fc.tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom("", ...signs), fc.nat(2));
    fc.assert(
      fc.property(change, ([text, at, sign, removed]) => {
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + sign + text.slice(place + removed);
        const found = fault(changed);
        // These are refused beyond JSON.parse, and comments and trailing commas taken.
        if (/stands twice|surrogate|outside the range/.test(found ?? "") || /,\s*[\]}]|\/[/*]/.test(changed))
          return;
        expect(found === undefined, changed).toBe(isJson(changed));
      }),
      { seed: SEED, numRuns: cases(20_000) },
    );
  });

  it.each([
    ["// a\n[1, /* b */ 2,]", 2],
    ["/**/[/*x*/1/*y*/]//", 1],
    ["\uFEFF[1]", 1],
  ])("has comments and a last comma too: %j", (text, items) => {
    expect(scan(text).mostItems).toBe(items);
  });
});

it.each([
  ["", "0: unexpected end of JSON, expected a value"],
  ["[1,,2]", '3: expected a value, got ","'],
  ["[,]", '1: expected a value, got ","'],
  ["{,}", '1: expected a key or }, got ","'],
  ['{"a":1,"a":2}', '7: the key "a" stands twice'],
  ['{"a":1,"\\u0061":2}', '7: the key "a" stands twice'],
  ['[{"a":1,"b":2},{"b":1,"a":2,"b":3}]', '28: the key "b" stands twice'],
  ['"\\ud800"', "1: half of a surrogate pair has no UTF-8 form"],
  ['"\\udc00\\ud800"', "1: half of a surrogate pair has no UTF-8 form"],
  ["[1e400]", "1: a number outside the range of a double"],
  ["[0e-400,1e-400]", "8: a number outside the range of a double"],
  [`[${"9".repeat(400)}]`, "1: a number outside the range of a double"],
  ["[01]", '2: expected , or ], got "1"'],
  ["[1.]", '3: expected a digit after the point, got "]"'],
  ["[1] [2]", '4: expected the end of the document, got "["'],
  ["/* a", "0: a comment without its end"],
  ['{"a\\"":1,"a\\"":2}', '9: the key "a\\"" stands twice'],
  ["[".repeat(501), "500: nested deeper than 500 levels"],
  ['["\u0001"]', "2: a control character in a string, expected an escape"],
])("refuses %j with its place", (text, expected) => {
  expect(fault(text)).toBe(expected);
});

it("tells integers from what only looks like them", () => {
  const { item } = scan("[1, -5, 1.0, 1e3, -0, 9007199254740993]");
  expect(item).toMatchObject({ integers: 3, fractions: 3, low: -5 });
  expect(item?.wide).toEqual({ low: 9007199254740993n, high: 9007199254740993n, isRounded: true });
});

it("takes more than 200 keys for data, and finds one that is twice among them", () => {
  const members = Array.from({ length: 300 }, (_, i) => `"k${i}":${i}`).join();
  expect(scan(`{${members}}`)).toMatchObject({ members: [], entry: { integers: 300 }, mostKeys: 300 });
  expect(fault(`{${members},"k7":1}`)).toContain('the key "k7" stands twice');
  expect(fault(`{${members},"k299":1}`)).toContain('the key "k299" stands twice');
});

it("leaves out all but the last member of a key, as JSON.parse does", () => {
  const keys = fc.constantFrom("a", "b", "\\u0061", "c d", '\\"');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("1", '"x,}"', "null"),
      tie("list"),
      tie("object"),
    ),
    list: fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(" , ")}]`),
    object: fc
      .array(fc.tuple(keys, tie("value")), { maxLength: 6 })
      .map((members) => `{ ${members.map(([key, item]) => `"${key}" : ${item}`).join(" ,\n")} }`),
  }));
  fc.assert(
    fc.property(value, (text) => {
      const bytes = withoutDuplicates(Buffer.from(text as string));
      expect(fault(bytes.toString())).toBeUndefined();
      expect(JSON.parse(bytes.toString())).toEqual(JSON.parse(text as string));
    }),
    { seed: SEED, numRuns: cases(2000) },
  );
});
