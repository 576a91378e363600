import { rulesOf } from "./rules.ts";
import type { DataShape, StructShape, ValueShape } from "./shape.ts";
import type { Trail } from "./trail.ts";

/** Checks values of fixed width. Every method throws DecodeError. */
export class DataSections {
  readonly #view: DataView;
  readonly #trail: Trail;

  constructor(view: DataView, trail: Trail) {
    this.#view = view;
    this.#trail = trail;
  }

  /** Checks the data section that starts at byte `start` of the message. */
  check(shape: StructShape, start: number, dataWords: number): void {
    const { known } = rulesOf(shape);
    for (let half = 0; half < 2 * dataWords; half++) {
      const at = start + 4 * half;
      const unknown = this.#view.getUint32(at, true) & ~(known[half] ?? 0);
      if (unknown === 0) continue;
      this.#trail.fail("data that the schema has no field for, it would be lost", at, "unsupported");
    }
    for (const field of shape.data) {
      this.#trail.enter(field.name);
      this.#field(field, start, dataWords);
      this.#trail.leave();
    }
  }

  /** A field beyond the end of a shorter section is zero, and so must be one that its flag denies. */
  #field(field: DataShape, start: number, dataWords: number): void {
    const isInside = field.offset < 64 * dataWords;
    const at = start + (field.offset >>> 3);
    if (field.flag !== undefined && !this.#isSet(field.flag, start, dataWords)) {
      if (!isInside || this.#isZero(field, at)) return;
      this.#trail.fail("a value whose flag says that there is none", at);
    }
    if (isInside) this.value(field, at);
    else if (field.values?.has(0) === false) this.#trail.fail("unknown enum value 0", start);
  }

  #isSet(bit: number, start: number, dataWords: number): boolean {
    return bit < 64 * dataWords && (this.#view.getUint8(start + (bit >>> 3)) & (1 << (bit & 7))) !== 0;
  }

  #isZero({ bits, offset }: DataShape, at: number): boolean {
    if (bits === 1) return (this.#view.getUint8(at) & (1 << (offset & 7))) === 0;
    for (let i = 0; i < bits / 8; i++) if (this.#view.getUint8(at + i) !== 0) return false;
    return true;
  }

  /** Checks a value of 16 bits or more, a field's or an element's, at byte `at` of the message. */
  value({ bits, values, safe }: ValueShape, at: number): void {
    if (values !== undefined) {
      const value = bits === 16 ? this.#view.getUint16(at, true) : this.#view.getInt32(at, true);
      if (!values.has(value)) this.#trail.fail(`unknown enum value ${value}`, at);
    }
    if (safe === undefined) return;
    const value = safe === "signed" ? this.#view.getBigInt64(at, true) : this.#view.getBigUint64(at, true);
    if (Number.isSafeInteger(Number(value))) return;
    this.#trail.fail(`${value} is beyond 2^53, expected a safe integer`, at, "unsupported");
  }
}
