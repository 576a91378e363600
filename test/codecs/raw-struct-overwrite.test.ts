/** Numbers overwritten in place, against a C program that assigns to the members of the same struct. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect } from "vitest";
import rawStruct from "../../src/codecs/raw-struct/index.ts";
import tellist from "../../src/datasets/tellist.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { emitHeader } from "../../src/schema/emit/header.ts";
import { readHeader } from "../../src/schema/read/header.ts";
import { otherNumber } from "../../src/schema/selection.ts";
import { encodeValue } from "../../src/schema/values/transcode.ts";
import { isReplaceable, numbersIn } from "../codec-contract.ts";
import { runC } from "../formats/c-struct/gcc.ts";
import { itWith } from "../references.ts";
import { datasetOf } from "./dataset.ts";

const folder = mkdtempSync(path.join(tmpdir(), "raw-struct-"));
afterAll(() => rmSync(folder, { recursive: true }));

const HEADER = `#include <stdint.h>
#include <stdbool.h>
struct record {
  int8_t a; uint16_t b; int32_t c; uint64_t d; float e; double f; int64_t g; uint32_t h; uint8_t i; int16_t j;
  bool has_k; uint32_t k;
};
struct inner { char before; int16_t records_count; struct record records[6]; };
struct outer { int first; struct inner in; };
`;
const record = { a: -5, b: 60000, c: -7, d: 2 ** 40, e: 1.5, f: -0.1, g: -(2 ** 40), h: 9, i: 200, j: -300 };

function headerDataset(): Dataset {
  const file = path.join(folder, "x.h");
  writeFileSync(file, HEADER);
  const records = [record, { ...record, k: 4 }, record, record];
  return datasetOf(readHeader(file, "outer"), [{ first: 1, in: { before: 2, records } }]);
}

function bookDataset(): Dataset {
  return { name: "tellist", schema: tellist.schema, values: [tellist.make(7, 0)], int64: "number" };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

itWith("gcc").each([
  ["a header's struct, nested", "struct outer", headerDataset, () => HEADER],
  ["the address book", "struct personal_info_list", bookDataset, emitHeader],
])("a number of %s is overwritten as C assigns it", async (_, type, make, header) => {
  const dataset = make();
  const [value] = dataset.values;
  const binding = await rawStruct.bind(dataset);
  const numbers = numbersIn(dataset.schema, value!).filter(isReplaceable);
  const encoded = encodeValue(binding, value!) as Uint8Array;
  const changes = numbers.map(({ place, definition, number }) => {
    const bytes = Uint8Array.from(encoded);
    const other = otherNumber(definition, number);
    binding.writer!(place)(bytes, other);
    return {
      ours: hex(bytes),
      assignment: `p->${place.path.join(".")}[${place.record}].${place.field} = ${other}`,
    };
  });
  const initial = [...encoded].join(", ");
  const size = encoded.length;
  const program = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "data.h"
static const unsigned char initial[] = { ${initial} };
static void print(const unsigned char *b) { for (int i = 0; i < ${size}; i++) printf("%02x", b[i]); puts(""); }
int main(void) {
  ${type} *p = malloc(${size});
  ${changes.map(({ assignment }) => `memcpy(p, initial, ${size}); ${assignment}; print((unsigned char *)p);`).join("\n  ")}
  free(p);
}
`;
  const printed = runC({ "data.h": header(dataset), "main.c": program });
  expect(changes.length).toBeGreaterThanOrEqual(20);
  expect(printed.trimEnd().split("\n")).toEqual(changes.map(({ ours }) => ours));
});
