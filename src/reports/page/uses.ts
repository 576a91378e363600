/** Where the bytes of each codec go, as stacked bars. */

import type { ByteUses } from "../../model/records/byte-uses.ts";
import { USES, usedPayloads } from "../sections/run/uses.ts";
import { formatBytes } from "../units.ts";
import type { DatasetView } from "../view.ts";
import { type Html, h } from "./html.ts";

const COLOURS: Readonly<Record<keyof ByteUses, string>> = {
  text: "blue",
  numbers: "green",
  blobs: "sky",
  keys: "orange",
  structure: "purple",
  padding: "axis",
};

/** A bar per codec, the smallest first; the longest fills the width. Empty where nothing is known. */
export function usesBars(data: DatasetView): Html[] {
  const used = usedPayloads(data);
  const most = Math.max(...used.map(({ bytes }) => bytes));
  if (used.length === 0 || most === 0) return [];
  const names = (Object.keys(USES) as (keyof ByteUses)[]).filter((name) =>
    used.some(({ uses }) => uses[name] > 0),
  );
  const key = names.map((name) =>
    h("span", {}, h("i", { style: `background:var(--${COLOURS[name]})` }), ` ${USES[name]} `),
  );
  const bars = used.map(({ codec, bytes, uses }) => {
    const parts = names.filter((name) => uses[name] > 0);
    const title = parts.map((name) => `${USES[name]} ${formatBytes(uses[name])}`).join(", ");
    const bar = parts.map((name) =>
      h("i", {
        style: `background:var(--${COLOURS[name]});width:${((100 * uses[name]) / most).toFixed(2)}%`,
      }),
    );
    return h(
      "li",
      { "data-codec": codec },
      h("span", {}, codec),
      h("span", { class: "stack", role: "img", "aria-label": title, title }, bar),
      h("span", {}, formatBytes(bytes)),
    );
  });
  return [h("p", { class: "faint key" }, key), h("ul", { class: "bars" }, bars)];
}
