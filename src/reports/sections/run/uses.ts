/** What the bytes of messages are for, and what each codec pays beyond the values. */
import type { ByteUses } from "../../../model/records/byte-uses.ts";
import type { PayloadRecord } from "../../../model/records/run.ts";
import { formatShare } from "../../../model/share.ts";
import { type Column, left, right, type Table, tableOfAny } from "../../table.ts";
import { counted, formatBytes } from "../../units.ts";
import type { DatasetView } from "../../view.ts";
import { placeOf } from "./timing.ts";

/** A codec's message of which the uses are known. */
export interface UsedPayload extends PayloadRecord {
  readonly uses: ByteUses;
}

/** What bytes are for, in the order in which they are shown. */
export const USES: Readonly<Record<keyof ByteUses, string>> = {
  text: "text",
  numbers: "numbers",
  blobs: "bytes",
  keys: "keys",
  structure: "structure",
  padding: "padding",
};

const NAMES = Object.keys(USES) as (keyof ByteUses)[];

/** The messages of a dataset of which the uses are known, the smallest first. */
export function usedPayloads({ payloads }: DatasetView): UsedPayload[] {
  const known = payloads.flatMap((one) => (one.uses === undefined ? [] : [{ ...one, uses: one.uses }]));
  return known.sort((a, b) => a.bytes - b.bytes);
}

/** Bytes by what they are for, a row per codec. What no codec has is left out. */
export function usesTable(data: DatasetView): Table | undefined {
  const used = usedPayloads(data);
  const shown = NAMES.filter((name) => used.some(({ uses }) => uses[name] > 0));
  return tableOfAny(used, [
    left("codec", ({ codec }) => codec),
    right("bytes", ({ bytes }) => formatBytes(bytes)),
    ...shown.map(
      (name): Column<UsedPayload> =>
        right(USES[name], ({ uses }) => (uses[name] === 0 ? "" : formatBytes(uses[name]))),
    ),
  ]);
}

/** What text, numbers, keys and structure take at the least and at the most, and what that means for JSON. */
export function usesLines(data: DatasetView): string[] {
  const used = usedPayloads(data);
  const json = used.find(({ codec }) => codec === "json");
  return [
    ...(json === undefined ? [] : [sharesLine(json)]),
    ...(used.length < 2 ? [] : NAMES.flatMap((name) => rangeLine(used, name))),
    ...(json === undefined ? [] : winsLines(data, json)),
  ];
}

function sharesLine({ bytes, uses }: UsedPayload): string {
  const parts = NAMES.filter((name) => uses[name] > 0).map(
    (name) => `${formatShare(uses[name] / bytes)} ${USES[name]}`,
  );
  return `a message in json is ${parts.join(", ")}`;
}

/** `numbers take 148 bytes in protobufjs, and 444 in json`. */
function rangeLine(used: readonly UsedPayload[], name: keyof ByteUses): string[] {
  const sorted = [...used].sort((a, b) => a.uses[name] - b.uses[name]);
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  if (most.uses[name] === 0) return [];
  const verb = name === "structure" || name === "padding" || name === "text" ? "takes" : "take";
  const from = `${USES[name]} ${verb} ${counted(least.uses[name], "byte")} in ${least.codec}`;
  if (least.uses[name] === most.uses[name])
    return [`${USES[name]} ${verb} ${counted(least.uses[name], "byte")} in all`];
  return [`${from}, and ${formatBytes(most.uses[name])} in ${most.codec}`];
}

/** Where nothing is faster than JSON: the engine's own parser and printer read and write text and keys. */
function winsLines(data: DatasetView, { bytes, uses }: UsedPayload): string[] {
  const wins = ["encode", "decode"].filter((operation) => {
    const cell = data.measured(operation, "json");
    return cell !== undefined && placeOf(cell, data)?.place === 1;
  });
  if (wins.length === 0) return [];
  const share = formatShare((uses.text + uses.keys) / bytes);
  return [
    `nothing is faster than json to ${wins.join(" or ")}: text and keys are ${share} of its bytes, and JSON is a part of the engine, where others take calls of JavaScript for each`,
  ];
}
