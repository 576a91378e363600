import { fromBase64 } from "../../formats/bytes/portable.ts";
import type { Dataset } from "../../model/dataset.ts";
import type { Place } from "../../model/region.ts";
import { type Anatomy, type Held, QUOTED } from "../../model/region-table.ts";
import { bigintOf, SEROVAL_CONSTANTS, SEROVAL_NODE, serovalText } from "../values/stand-ins.ts";
import { Properties } from "./cursor.ts";
import { Guided } from "./guided.ts";
import { JsonText } from "./json-text.ts";
import { type RegionId, RegionList } from "./region-list.ts";
import { SharedValues } from "./shared-values.ts";

/** Takes what `toJSON` of seroval writes apart: a tree of nodes, each of which has its type first (`node.ts`). */
export function serovalRegions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const reader = new Reader(list);
  list.attempt(() => reader.whole(root));
  return list.finish(root.place);
}

const NAMES: ReadonlyMap<unknown, keyof typeof SEROVAL_NODE> = new Map(
  Object.entries(SEROVAL_NODE).map(([name, type]) => [type, name as keyof typeof SEROVAL_NODE]),
);

/** A node, as far as it was read. */
interface Node {
  readonly type: keyof typeof SEROVAL_NODE;
  readonly place: Place;
  /** The byte that it begins with. */
  readonly at: number;
  /** By which other nodes refer to it. */
  id?: number;
  /** The region that has its value, if it is one. */
  held?: RegionId;
  /** What is in memory. */
  memory?: Uint8Array;
  isWhole: boolean;
}

class Reader extends JsonText {
  readonly #shared: SharedValues;

  constructor(list: RegionList) {
    super("seroval", list);
    this.#shared = new SharedValues(list);
  }

  whole(root: Guided): void {
    const { place } = root;
    let isThere = false;
    this.space(place);
    this.begin("object", place, "header");
    for (let i = 0; this.goesOn("object", i, place, "header"); i++) {
      const { at } = this;
      const name = this.#name("header", place);
      if (name === "t" && !isThere) {
        this.#node(root, 1);
        isThere = true;
      } else if (name === "f") this.#skipped("header", place, "features");
      else if (name === "m") this.#skipped("header", place, "nodes that are referred to");
      else this.fail("expected a tree of nodes", at, "unsupported");
    }
    this.expectEnd(place);
    if (!isThere) this.fail("expected a tree of nodes", 0);
  }

  /** Passes the name of a member, and the space around its colon. */
  #name(role: "header" | "tag", place: Place): string {
    const name = this.textAhead("expected a name");
    this.name(role, place, "member", name);
    this.space(place);
    return name;
  }

  /** Passes a value of JSON as one region. */
  #skipped(role: "header" | "tag", place: Place, type: string): void {
    const start = this.at;
    this.skip();
    this.list.add(role, start, this.at, place, type);
  }

  #node(here: Guided, depth: number): void {
    this.enter(depth);
    const { place } = here;
    const node = this.#head(place);
    for (let i = 1; this.goesOn("object", i, place); i++) {
      const { at } = this;
      const name = this.#name("tag", place);
      const isList = name === "a" && node.type === "list";
      if (node.isWhole || !(isList || (name === "p" && node.type === "object"))) {
        this.#member(name, node, at);
        continue;
      }
      node.isWhole = true;
      if (isList) this.#list(here, depth);
      else this.#object(here, depth);
    }
    this.#end(node);
  }

  /** What a node begins with: its type. */
  #head(place: Place): Node {
    const { at } = this;
    this.begin("object", place);
    this.goesOn("object", 0, place);
    if (this.#name("tag", place) !== "t")
      this.fail("expected a node whose type stands first", at, "unsupported");
    const number = this.ahead();
    const type = NAMES.get(number);
    if (type === undefined) this.fail("no plain data is of this type", this.at, "unsupported");
    this.take("tag", place, "type", type);
    return { type, place, at, isWhole: false };
  }

  #end({ type, id, held, isWhole }: Node): void {
    if (!isWhole) this.fail(`a ${type} of nothing`, this.at - 1);
    if (id !== undefined && held !== undefined) this.#shared.hold(id, held);
  }

  /** A member of a node that has no values in it. @param start the byte that its name begins with */
  #member(name: string, node: Node, start: number): void {
    const { type, place } = node;
    if (name === "i") this.#id(node);
    else if (name === "o") this.#expect(0, "tag", place, "flags");
    else if (name === "s" && type !== "view") this.#content(node);
    else if (name === "f" && type === "buffer") this.#skipped("tag", place, "constructor");
    else if (name === "f" && type === "view") this.#memory(node);
    else if (name === "c" && type === "view") this.#expect("Uint8Array", "tag", place, "class");
    else if (name === "b" && type === "view") this.#expect(0, "offset", place, "offset in memory");
    else if (name === "l" && type === "view")
      this.#expect(node.memory?.length ?? 0, "length", place, "bytes");
    else this.fail(`no ${type} has such a member`, start, "unsupported");
  }

  /** Passes what is known. */
  #expect(known: string | number, role: "tag" | "offset" | "length", place: Place, type: string): void {
    if (this.ahead() !== known) this.fail(`expected ${known}`, this.at, "unsupported");
    this.take(role, place, type, known);
  }

  /** The number of a node, or of the one that it stands for. */
  #id(node: Node): void {
    const { type, place, at } = node;
    const number = this.ahead();
    if (typeof number !== "number") this.fail("expected the number of a node");
    if (type !== "known") {
      node.id = number;
      this.take("tag", place, "number", number);
      this.#shared.meet(number, place, at);
      return;
    }
    if (!this.#shared.has(number)) this.fail("no node before has this number");
    this.#shared.refer(this.take("offset", place, "number", number), number);
    node.isWhole = true;
  }

  /** The value of a node. */
  #content(node: Node): void {
    const { type, place } = node;
    if (node.isWhole) this.fail(`a ${type} of two values`);
    const content = this.ahead();
    let value: Held | undefined;
    if (type === "constant") value = SEROVAL_CONSTANTS.get(content);
    else if (type === "bigint") value = bigintOf(content);
    else if (type === "number") value = typeof content === "number" ? content : undefined;
    else if (typeof content === "string") value = type === "text" ? this.#text(content) : fromBase64(content);
    if (value === undefined) this.fail(`expected a ${type}`);
    node.held = this.leaf(place, type === "buffer" ? "base64" : type, value);
    if (value instanceof Uint8Array) node.memory = value;
    node.isWhole = true;
  }

  /** Text that was looked at: most is what stands between its quotes. */
  #text(content: string): Held {
    return this.isPlain ? QUOTED : serovalText(content);
  }

  /** The memory of a view, which no other has. */
  #memory(view: Node): void {
    const { place } = view;
    const node = this.#head(place);
    if (node.type !== "buffer") this.fail("expected memory of its own", node.at, "unsupported");
    for (let i = 1; this.goesOn("object", i, place); i++) {
      const { at } = this;
      this.#member(this.#name("tag", place), node, at);
    }
    this.#end(node);
    Object.assign(view, { held: node.held, memory: node.memory, isWhole: true });
  }

  #list(here: Guided, depth: number): void {
    const { place } = here;
    let inner = here.element(0);
    this.begin("array", place);
    for (let i = 0; this.goesOn("array", i, place, "terminator", inner.place); inner = here.element(++i))
      this.#node(inner, depth + 1);
  }

  /** Keys, and behind them their values. */
  #object(here: Guided, depth: number): void {
    const { place } = here;
    const properties = new Properties(this.list, here);
    const inner: Guided[] = [];
    this.begin("object", place);
    this.goesOn("object", 0, place);
    this.#expectName("k", place);
    this.begin("array", place);
    for (let i = 0; this.goesOn("array", i, place); i++) {
      const key = serovalText(this.textAhead("expected a key"));
      inner.push(properties.next(key));
      this.take("key", inner[i]!.place, "key", key);
    }
    this.goesOn("object", 1, place);
    this.#expectName("v", place);
    let count = 0;
    this.begin("array", place);
    for (; this.goesOn("array", count, place, "terminator", inner[count]?.place); count++) {
      const value = inner[count] ?? this.fail("a value without a key");
      this.#node(value, depth + 1);
    }
    if (count < inner.length) this.fail("a key without a value", this.at - 1);
    if (this.goesOn("object", 2, place)) this.fail("more than keys and values");
  }

  #expectName(expected: string, place: Place): void {
    const { at } = this;
    if (this.#name("tag", place) !== expected) this.fail(`expected ${expected}`, at);
  }
}
