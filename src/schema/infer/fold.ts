import { type Evidence, MOST_KEYS } from "./evidence.ts";
import type { Hints } from "./hints.ts";
import { isIdentifier, kindsOf, pointer, pointerToEach } from "./kinds.ts";
import { unite } from "./unite.ts";

/** Objects from which on it counts how seldom they have a key, and mean share of them below which keys are data. */
const FEW_OBJECTS = 3;
const RARE = 0.1;

/** Mean share of objects that have a key, from which on odd keys are names rather than data. */
const COMMON = 0.5;

/**
 * Decides which objects are maps, and which are of one message because the same key repeats below itself, and marks them
 * so. Gives each path its hint. @param at pointer of the root
 */
export function fold(root: Evidence, at: string, hints: Hints): void {
  const folding = new Folding(hints);
  folding.visit(root, at, "", new Map());
  unite(folding.alike(root));
}

/** What leads to an object: the last key before it, in quotes, and the lists and maps between. */
type Label = string;

function keyOf(label: Label): string {
  return JSON.parse(label.slice(0, label.lastIndexOf('"') + 1)) as string;
}

class Folding {
  readonly #hints: Hints;
  readonly #byLabel = new Map<Label, Evidence[]>();
  readonly #recursive = new Set<Label>();

  constructor(hints: Hints) {
    this.#hints = hints;
  }

  /** @param above the nearest object above this one for each label */
  visit(path: Evidence, at: string, label: Label, above: ReadonlyMap<Label, Evidence>): void {
    path.hint = this.#hints.of(at, kindsOf(path));
    if (path.item !== undefined) this.visit(path.item, pointerToEach(at), `${label} []`, above);
    if (path.objects === 0) return;
    const outer = above.get(label);
    const inside = new Map(above).set(label, path);
    if (path.entry !== undefined || isMap(path) || (outer?.entry !== undefined && path.hint !== "message")) {
      const { entry, members } = path;
      for (const { key } of members) this.#hints.expectNone(at, pointer(at, key!));
      const values = path.asMap();
      if (entry === undefined) path.named = members;
      this.visit(values, pointerToEach(at), `${label} {}`, inside);
      return;
    }
    this.#byLabel.set(label, [...(this.#byLabel.get(label) ?? []), path]);
    if (outer !== undefined && areAlike(outer, path)) this.#recursive.add(label);
    for (const member of path.members) {
      const key = member.key!;
      this.visit(member, pointer(at, key), JSON.stringify(key), inside);
    }
  }

  /** What is of one message: all objects that a repeated key leads to, and the root where it is alike. */
  alike(root: Evidence): Evidence[][] {
    const taken = new Set<Evidence>();
    return Array.from(this.#recursive, (label) => {
      const [first, ...others] = this.#byLabel.get(label)!;
      const group = [first!, ...others.filter((one) => areAlike(first!, one))];
      const holdsKey = root.memberIfAny(keyOf(label)) !== undefined;
      if (holdsKey && areAlike(root, first!)) group.push(root);
      return group.filter((one) => !taken.has(one) && taken.add(one));
    });
  }
}

/** Whether objects of two paths can be of one message: half of the keys of the smaller are shared, and no kind differs. */
function areAlike(a: Evidence, b: Evidence): boolean {
  if (a.entry !== undefined || b.entry !== undefined) return false;
  const shared = b.members.filter((member) => a.memberIfAny(member.key!) !== undefined);
  const fewer = Math.min(a.members.length, b.members.length);
  return (
    shared.length * 2 >= fewer && shared.every((member) => areOfKind(member, a.memberIfAny(member.key!)!))
  );
}

function areOfKind(a: Evidence, b: Evidence): boolean {
  const kinds = [kindsOf(a), kindsOf(b)] as const;
  return kinds.some((some) => some.length === 0) || kinds[0].some((kind) => kinds[1].includes(kind));
}

/** Whether the keys of a path's objects are data, and not names. */
function isMap(path: Evidence): boolean {
  const { members, objects, hint } = path;
  if (hint === "map" || hint === "message") return hint === "map";
  if (members.length === 0) return false;
  const share = members.reduce((sum, { count }) => sum + count, 0) / members.length / objects;
  if (members.length > MOST_KEYS || (objects >= FEW_OBJECTS && share < RARE)) return true;
  const keys = members.map(({ key }) => key!);
  if (keys.every((key) => /^\d+$/.test(key))) return true;
  const odd = keys.filter((key) => !isIdentifier(key)).length;
  if (odd === 0 || keys.length < 2 || (objects >= FEW_OBJECTS && share >= COMMON)) return false;
  return areOfOneShape(members, odd === keys.length);
}

/** Whether the values of an object are of one kind, and objects have keys in common. @param isOdd no key is a name */
function areOfOneShape(members: readonly Evidence[], isOdd: boolean): boolean {
  const kinds = new Set(members.flatMap(kindsOf));
  if (kinds.size > 1) return false;
  if (isOdd || !kinds.has("object")) return true;
  const counts = new Map<string, number>();
  for (const one of members) for (const { key } of one.members) counts.set(key!, (counts.get(key!) ?? 0) + 1);
  const shared = [...counts.values()].filter((count) => count > 1).length;
  return shared * 2 >= counts.size;
}
