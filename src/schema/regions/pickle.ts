import type { Dataset } from "../../model/dataset.ts";
import type { Place } from "../../model/region.ts";
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
  if (top !== undefined) assign(list, machine, top, root);
  return list.finish(root.place);
}

/** Says where all is that is about a node. */
function move(list: RegionList, { first, end, others }: PickleNode, place: Place): void {
  for (let id = first; id < end; id++) list.move(id, place);
  for (const id of others) list.move(id, place);
}

/** Says of all that a value is made of where that is. */
function assign(list: RegionList, machine: PickleMachine, node: PickleNode, here: Guided): void {
  const open = [{ node, here }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { kind, referent, held, value, items } = next.node;
    move(list, next.node, next.here.place);
    if (kind === "leaf") {
      if (value !== undefined) list.mark(held, value);
    } else if (referent === undefined && kind === "dict") {
      const properties = new Properties(list, next.here);
      for (let i = 0; i < items.length; i += 2) {
        const key = items[i]!;
        const inner = properties.next(String(machine.value(key)));
        move(list, key, inner.place);
        list.unmark(key.held, "key");
        open.push({ node: items[i + 1]!, here: inner });
      }
    } else if (referent === undefined)
      for (let i = 0; i < items.length; i++) open.push({ node: items[i]!, here: next.here.element(i) });
  }
}
