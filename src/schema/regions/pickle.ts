import type { Dataset } from "../../model/dataset.ts";
import type { Anatomy } from "../../model/region-table.ts";
import { Properties } from "./cursor.ts";
import { Guided } from "./guided.ts";
import { PickleMachine, type PickleNode } from "./pickle-machine.ts";
import { RegionList } from "./region-list.ts";

/** Takes a pickle apart (CPython, `Lib/pickletools.py`): opcodes, and what they make. */
export function pickleRegions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const machine = new PickleMachine(list, root.place);
  list.attempt(() => machine.run());
  const { top } = machine;
  if (top !== undefined) assign(list, top, root);
  return list.finish(root.place);
}

/** Says of all that a value is made of where that is. */
function assign(list: RegionList, node: PickleNode, here: Guided): void {
  const open = [{ node, here }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { regions, kind, referent, held, value, items } = next.node;
    const { place } = next.here;
    for (const id of regions) list.move(id, place);
    if (kind === "leaf") {
      if (value !== undefined) list.mark(held, value);
    } else if (referent === undefined && kind === "dict") {
      const properties = new Properties(list, next.here);
      for (let i = 0; i < items.length; i += 2) {
        const [key, item] = [items[i]!, items[i + 1]!];
        const inner = properties.next(String(key.value));
        for (const id of key.regions) list.move(id, inner.place);
        list.unmark(key.held, "key");
        open.push({ node: item, here: inner });
      }
    } else if (referent === undefined)
      for (const [i, item] of items.entries()) open.push({ node: item, here: next.here.element(i) });
  }
}
