import { ValueError } from "../../model/errors.ts";
import { pathText, show } from "../../model/value.ts";
import { CallWriter } from "./calls.ts";
import { Hashables } from "./hashables.ts";
import { IdentityMemo } from "./identity-memo.ts";

/** Most digits of an integer that CPython reads as text (`sys.get_int_max_str_digits`). */
const MAX_DIGITS = 4300;

/** Where in a value the writer is, which objects it has met, and what it refuses. */
export class PickleScope extends CallWriter {
  protected readonly objects = new IdentityMemo();
  /** Key of the entry that is being written, of each container around it. */
  protected readonly trail: (string | number)[] = [];
  protected hashables: Hashables | undefined;
  protected maxDepth = 0;
  protected depth = 0;

  /** Throws a ValueError about the value that is being written. */
  protected refuse(problem: string): never {
    throw new ValueError(pathText(this.trail.slice(0, this.depth)), problem);
  }

  protected checked(end: number, text: string): number {
    return end < 0 ? this.refuse(`expected text, got a lone surrogate in ${show(text)}`) : end;
  }

  protected checkDigits(value: bigint): void {
    if (this.protocol >= 2) return;
    const digits = String(value).length - (value < 0n ? 1 : 0);
    if (digits > MAX_DIGITS) {
      this.refuse(`expected at most ${MAX_DIGITS} digits in protocol ${this.protocol}, got ${digits}`);
    }
  }

  /** Notes that what was just written is this object. */
  protected putObject(value: object, at: number): number {
    if (!this.memo) return at;
    this.objects.set(value, this.count);
    return this.put(at);
  }

  protected enter(): number {
    if (this.depth === this.maxDepth) {
      this.refuse(`nested deeper than ${this.maxDepth} levels, or it contains itself`);
    }
    return this.depth++;
  }

  /** Leaves the container that {@link enter} gave this place. */
  protected leave(place: number, at: number): number {
    this.depth = place;
    return this.roomAfter(at);
  }

  /** Refuses a key or an element that Python would not take, or would take for another. */
  protected checkKey(key: unknown, seen: Set<number>): void {
    this.hashables ??= new Hashables();
    const id = this.hashables.idOf(key, this.maxDepth);
    if (id === undefined) this.refuse(`expected a key that Python can hash, got ${show(key)}`);
    if (seen.has(id)) this.refuse(`expected keys that differ in Python, got ${show(key)} and its equal`);
    seen.add(id);
  }

  protected checkSize(expected: number, actual: number): void {
    if (actual !== expected) this.refuse(`expected ${expected} entries, got ${actual}: it changed meanwhile`);
  }
}
