import type { RunRecord } from "../../model/records/run.ts";
import { markdownTable } from "../table.ts";
import { formatBytes, formatNanos } from "../units.ts";
import { findCell, isMeasured } from "./cells.ts";

/**
 * The figures of the published address book benchmark (FlatBuffers, protobuf and a raw struct, C++, 2014): ms for
 * 1,000,000 loops, averages of three runs computed from its single runs. A ms per million is a ns per list.
 */
const PUBLISHED = {
  environments: ["Xeon E5-2620, 2.0 GHz", "Core i5-3210M, 2.5 GHz"],
  rows: [
    {
      name: "protobuf",
      codec: "protobufjs",
      bytes: 841,
      encodeMs: [14151.7, 12516.7],
      decodeMs: [11218.7, 9987.3],
    },
    {
      name: "FlatBuffers",
      codec: "flatbuffers",
      bytes: 1712,
      encodeMs: [11647.3, 9601.7],
      decodeMs: [1160.7, 1168.7],
    },
    { name: "raw struct", codec: "raw-struct", bytes: 304, encodeMs: [4968, 4254], decodeMs: [687, 538.3] },
  ],
} as const;

/** The dataset whose published figures these are. */
export const ADDRESS_BOOK = "tellist";

/** The published figures beside those of a record; undefined when the record has none of these codecs. */
export function publishedAddressBook(record: RunRecord): string | undefined {
  const measured = PUBLISHED.rows.some(({ codec }) =>
    isMeasured(findCell(record, "encode", ADDRESS_BOOK, codec)),
  );
  if (!measured) return undefined;
  const table = {
    columns: [
      { heading: "format", align: "left" as const },
      ...["bytes published", "bytes here"].map(right),
      ...PUBLISHED.environments.map((environment) => right(`encode, ${environment}`)),
      right("encode here"),
      ...PUBLISHED.environments.map((environment) => right(`decode, ${environment}`)),
      right("decode here"),
      right("access here"),
    ],
    rows: PUBLISHED.rows.map(({ name, codec, bytes, encodeMs, decodeMs }) => {
      const cell = findCell(record, "encode", ADDRESS_BOOK, codec);
      return [
        name,
        formatBytes(bytes),
        isMeasured(cell) ? formatBytes(cell.bytes) : "–",
        ...encodeMs.map(perList),
        timeOf(record, "encode", codec),
        ...decodeMs.map(perList),
        timeOf(record, "decode", codec),
        timeOf(record, "access", codec),
      ];
    }),
  };
  return `${markdownTable(table)}

The published figures are of C++ programs on machines of their time; ours are of JavaScript on the machine above.
What can be compared is the order and the ratios, not the times. The published decode of FlatBuffers and of the
raw struct reads the fields in place, which is \`access\` here; \`decode\` here makes the whole value.

Two of the published figures are wrong:

- The raw struct's size of 304 bytes is 8 + 37 × 8: a header and 37 *pointers*. The struct is 48 bytes long
  (x86-64 System V ABI), so the list takes 8 + 37 × 48 = 1,784 bytes, more than FlatBuffers' 1,712.
- The average of FlatBuffers' encoding on the Core i5-3210M is given as 9,345.0 ms; its three runs of 9,640, 9,595
  and 9,570 ms average 9,601.7 ms, which is what stands above.`;
}

function right(heading: string): { heading: string; align: "right" } {
  return { heading, align: "right" };
}

function perList(msPerMillion: number): string {
  return formatNanos(msPerMillion);
}

function timeOf(record: RunRecord, operation: string, codec: string): string {
  const cell = findCell(record, operation, ADDRESS_BOOK, codec);
  return isMeasured(cell) ? formatNanos(cell.nanos.median) : "–";
}
