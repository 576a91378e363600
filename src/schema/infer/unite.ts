import { Evidence } from "./evidence.ts";
import { kindsOf } from "./kinds.ts";

/** Two paths of which all values become one's, or the objects alone. */
interface Pair {
  readonly into: Evidence;
  readonly other: Evidence;
  readonly isPath: boolean;
}

/**
 * Makes one message of the objects of each group. Their members of a key become one path, and so do the paths below: where
 * objects of two messages meet, these are one. A map that meets a message stays one where all values are of one kind.
 */
export function unite(groups: readonly (readonly Evidence[])[]): void {
  new Uniting().unite(groups);
}

class Uniting {
  /** Grows while it is gone through. */
  readonly #pending: Pair[] = [];
  /** What was made here for objects of several paths. */
  readonly #shapes = new Set<Evidence>();

  unite(groups: readonly (readonly Evidence[])[]): void {
    for (const group of groups) {
      const all = this.#newShape();
      all.repeats = true;
      for (const one of group) this.#pending.push({ into: all, other: one, isPath: false });
    }
    for (const { into, other, isPath } of this.#pending) {
      if (isPath) this.#addPath(into.path, other.path);
      else this.#join(into, other);
    }
  }

  #newShape(): Evidence {
    const shape = new Evidence();
    this.#shapes.add(shape);
    return shape;
  }

  /** Adds all values of a path to another. */
  #addPath(into: Evidence, other: Evidence): void {
    if (into === other) return;
    // Before the counts change, which a shape takes.
    if (other.objects > 0) this.#join(into, other);
    other.same = into;
    into.addOwn(other);
    if (other.item === undefined) return;
    if (into.item === undefined) into.item = other.item;
    else this.#pending.push({ into: into.item, other: other.item, isPath: true });
  }

  /** Makes the objects of two paths of one message. */
  #join(a: Evidence, b: Evidence): void {
    const { shape } = a;
    const other = b.shape;
    if (shape === other) return;
    if (this.#shapes.has(shape)) this.#absorb(shape, other);
    else if (this.#shapes.has(other)) this.#absorb(other, shape);
    else {
      const both = this.#newShape();
      this.#absorb(both, shape);
      this.#absorb(both, other);
    }
  }

  /** Adds what is known of objects to the shape that they are of now. */
  #absorb(shape: Evidence, other: Evidence): void {
    other.alike = shape;
    shape.order = Math.min(shape.order, other.order);
    shape.repeats ||= other.repeats;
    const isFirst = shape.objects === 0;
    shape.addObjects(other);
    const entry = shape.entry ?? other.entry;
    if (entry === undefined || (shape.entry === undefined && isFirst)) {
      if (entry === undefined) this.#addMembers(shape, other.members);
      else shape.mapTo(entry, other.named);
      return;
    }
    const own = namedOf(shape);
    const added = namedOf(other);
    const named = own !== undefined && added !== undefined ? [...own, ...added] : undefined;
    if (named !== undefined && !this.#isMap(shape, other)) {
      shape.mapTo(undefined);
      this.#addMembers(shape, named);
      return;
    }
    const values = [shape, other].flatMap((one) => (one.entry === undefined ? one.members : [one.entry]));
    for (const value of values) this.#pending.push({ into: entry, other: value, isPath: true });
    shape.mapTo(entry, named);
  }

  /** Whether objects of which some are a map can all be one. */
  #isMap(...both: readonly Evidence[]): boolean {
    if (both.every(({ entry }) => entry !== undefined)) return true;
    const values = both.flatMap(({ entry, members }) => (entry === undefined ? members : [entry]));
    return new Set(values.flatMap((value) => kindsOf(value.path))).size <= 1;
  }

  #addMembers(shape: Evidence, members: readonly Evidence[]): void {
    for (const member of members) {
      const own = shape.memberIfAny(member.key!);
      if (own === undefined) shape.adopt(member);
      else this.#pending.push({ into: own, other: member, isPath: true });
    }
  }
}

/** The members of objects under their keys; undefined for a map whose keys were not kept. */
function namedOf({ entry, members, named }: Evidence): readonly Evidence[] | undefined {
  return entry === undefined ? members : named;
}
