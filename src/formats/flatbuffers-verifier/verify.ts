import { isUtf8 } from "node:buffer";
import { defined } from "../../model/defined.ts";
import { DecodeError, type DecodeProblem } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { pathText } from "../../model/value.ts";
import { Coverage } from "./coverage.ts";
import {
  type FieldPlan,
  type Plans,
  planOf,
  scalarMemory,
  slotOf,
  stringMemory,
  structMemory,
  type TablePlan,
  type ValuePlan,
  vectorMemory,
} from "./plan.ts";
import { readInteger, type TableShape, type VerifyOptions } from "./shape.ts";

/** As in flatbuffers/verifier.h. */
const DEFAULT_MAX_DEPTH = 64;
const DEFAULT_MAX_TABLES = 1_000_000;

/** A table and the offset that leads to it. */
const LEAST_TABLE_BYTES = 8;

/** The offset of the root, a vtable and a table, both without fields. */
const LEAST_BYTES = 12;

/** Offsets and lengths are signed 32-bit integers to the runtime library. */
const MAX_LENGTH = 2 ** 31 - 1;

/** The numbers in a vtable are signed 16-bit integers to the runtime library, which takes others for absent. */
const MAX_VTABLE_NUMBER = 2 ** 15 - 1;

/**
 * Makes a function that checks that bytes from anywhere are a message whose root is such a table, so that a
 * reader that checks nothing can read all of it: every offset leads into the message, every size stays within
 * it, every value is aligned, text is UTF-8, what is required is there, and what it decodes to is in proportion
 * to its length. The function throws DecodeError with the byte offset and the path of the field.
 *
 * All bytes are accounted for: those that belong to no part of the message are padding, which is zero and
 * short. So a list that was cut or a field that was dropped shows by the data that it leaves behind.
 *
 *     const verify = flatbufferVerifier({
 *       fields: [{ name: "name", type: { kind: "string" }, required: true }],
 *     });
 *     verify(bytes);
 *     Person.getRootAsPerson(new ByteBuffer(bytes)).name();
 *
 * The format is that of the document "FlatBuffer Internals". What it accepts, flatbuffers/verifier.h accepts too. It refuses
 * more, and this is all of it:
 *
 * - a length that is no multiple of 4, bytes that belong to nothing, fields and members of unions that the shape does not
 *   know: unless it is `lenient`
 * - text that is not UTF-8; a bool that is neither 0 nor 1
 * - a field outside its table, a table beyond the end of the message or of less than 4 bytes, a vtable of less than 4
 * - an element of a vector whose offset is 0, and elements that are not aligned; but of an empty vector none is
 * - a union with a value and no number, or the other way round
 * - numbers in a vtable beyond 32767, which the runtime library for JavaScript takes for absent
 * - what the shape says of it: closed enums, safe integers, fixed lengths, distinct keys; and {@link VerifyOptions.maxMemory}
 */
export function flatbufferVerifier(
  root: TableShape,
  options: VerifyOptions = {},
): (bytes: Uint8Array) => void {
  const plan = planOf(root);
  return (bytes) => {
    checkLength(bytes.length, options.lenient === true);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    new Verification(bytes, view, options, plan).run(plan.root);
  };
}

function checkLength(length: number, lenient: boolean): void {
  const fail = (problem: string, code: DecodeProblem): never => {
    throw new DecodeError("flatbuffers", problem, { code, offset: length });
  };
  if (length > MAX_LENGTH) fail(`${inBytes(length)}, expected at most ${MAX_LENGTH}`, "limit");
  if (length < LEAST_BYTES) fail(`${inBytes(length)}, expected at least ${LEAST_BYTES}`, "truncated");
  if (length % 4 !== 0 && !lenient) fail(`${inBytes(length)}, expected a multiple of 4`, "truncated");
}

/** One pass over a message. It makes no value. */
export class Verification {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #maxDepth: number;
  readonly #maxTables: number;
  readonly #maxMemory: number;
  readonly #options: VerifyOptions;
  readonly #lenient: boolean;
  /** Undefined where bytes may belong to nothing: vtables that overlap would be marked again and again. */
  readonly #coverage: Coverage | undefined;
  readonly #padding: number;
  /** The vtable that was last found right for a plan: a vector's tables mostly share one. */
  readonly #knownVtable: Int32Array;
  /** Every one that was, with its plan: a vtable is as long as it likes, and tables may take turns with some of them. */
  readonly #rightVtables = new Set<number>();
  /** Names and indexes that lead to the part at hand. Only the first `#steps` count. */
  readonly #path: (string | number)[] = [];
  #steps = 0;
  #depth = 0;
  #tables = 0;
  #memory = 0;

  /**
   * @param view of the same memory as `bytes`
   * @param plans how many tables' plans there are, and the most padding in a message
   */
  constructor(
    bytes: Uint8Array,
    view: DataView,
    options: VerifyOptions,
    { count, padding }: Pick<Plans, "count" | "padding">,
  ) {
    const { length } = bytes;
    this.#bytes = bytes;
    this.#view = view;
    this.#maxDepth = options.maxDepth ?? DEFAULT_MAX_DEPTH;
    this.#maxTables = options.maxTables ?? Math.max(DEFAULT_MAX_TABLES, length / LEAST_TABLE_BYTES);
    this.#maxMemory = options.maxMemory ?? 16 * 2 ** 20 + 64 * length;
    this.#options = options;
    this.#lenient = options.lenient === true;
    this.#coverage = this.#lenient ? undefined : new Coverage(length);
    this.#padding = padding;
    this.#knownVtable = new Int32Array(count).fill(-1);
  }

  run(root: TablePlan): void {
    this.#coverage?.mark(0, 4);
    const { identifier, identifierOptional } = this.#options;
    if (identifier !== undefined) this.#checkIdentifier(identifier, identifierOptional === true);
    this.#table(this.#follow(0), root);
    // flatc puts the identifier of a file before any root of it.
    if (identifier === undefined && identifierOptional === true) this.#coverage?.markUnused(4, 8);
    const stray = this.#coverage?.stray(this.#bytes, this.#padding);
    if (stray !== undefined) this.#fail(stray, "bytes that belong to no part of the message");
  }

  #checkIdentifier(expected: string, optional: boolean): void {
    const actual = Buffer.from(this.#bytes.subarray(4, 8)).toString("latin1");
    if (actual !== expected) {
      // What stands there then belongs to something else, or is found to belong to nothing.
      if (optional) return;
      this.#fail(4, `expected the identifier ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
    }
    this.#coverage?.mark(4, 8);
  }

  /**
   * Where the offset at a place leads.
   * @param size bytes that are there at least, on a multiple of that: the first 4 of a string, a vector or a table
   */
  #follow(place: number, size = 4): number {
    const offset = this.#view.getUint32(place, true);
    const target = place + offset;
    if (offset === 0) this.#fail(place, "an offset leads to itself");
    if (target > this.#bytes.length - size) {
      this.#fail(place, `an offset leads to byte ${target} of ${this.#bytes.length}`, "truncated");
    }
    if (target % size !== 0)
      this.#fail(place, `an offset leads to byte ${target}, expected a multiple of ${size}`);
    return target;
  }

  #table(table: number, plan: TablePlan): void {
    this.#depth += 1;
    this.#tables += 1;
    if (this.#depth > this.#maxDepth) {
      this.#fail(table, `nested deeper than ${this.#maxDepth} tables`, "limit");
    }
    if (this.#tables > this.#maxTables) this.#fail(table, `more than ${this.#maxTables} tables`, "limit");
    this.#spend(plan.memory, table);

    const vtable = this.#vtable(table, plan);
    const vtableSize = this.#view.getUint16(vtable, true);
    const tableSize = this.#view.getUint16(vtable + 2, true);
    if (table + tableSize > this.#bytes.length) {
      this.#fail(table, `a table of ${inBytes(tableSize)}`, "truncated");
    }
    this.#coverage?.mark(table, table + 4);
    for (let id = 0; id < plan.fields.length; id++) {
      const { name, required, value } = plan.fields[id]!;
      const slot = slotOf(id);
      const inTable = slot < vtableSize ? this.#view.getUint16(vtable + slot, true) : 0;
      this.#path[this.#steps++] = name;
      if (inTable !== 0) {
        const { size } = value;
        if (inTable < 4 || inTable + size > tableSize) {
          this.#fail(vtable + slot, `bytes ${inTable} to ${inTable + size} of a table of ${tableSize}`);
        }
        if (inTable > MAX_VTABLE_NUMBER) this.#refuseNumber(vtable + slot, inTable);
        const place = table + inTable;
        if (place % value.align !== 0)
          this.#fail(place, `expected a multiple of ${value.align} as its place`);
        this.#coverage?.mark(place, place + size);
        if (value.kind === "scalar") this.#spend(scalarMemory(size), place);
        if (value.kind === "struct") this.#spend(structMemory(size), place);
        if (value.members !== undefined) this.#union(table, vtable, id, place, value.members);
        else this.#value(place, value);
      } else if (value.members !== undefined && this.#unionNumber(table, vtable, id) !== 0) {
        this.#fail(table, "a union whose number says that there is a value, and there is none");
      } else if (required) {
        this.#fail(table, "missing, and every such table has it");
      }
      this.#steps -= 1;
    }
    this.#depth -= 1;
  }

  /** The place of a table's vtable, whose own bytes are found right. */
  #vtable(table: number, plan: TablePlan): number {
    const { length } = this.#bytes;
    const vtable = table - this.#view.getInt32(table, true);
    if (vtable < 0 || vtable > length - 4 || vtable % 2 !== 0) {
      this.#fail(table, `its vtable is at byte ${vtable} of ${length}`);
    }
    if (vtable === this.#knownVtable[plan.index]) return vtable;
    const known = vtable * this.#knownVtable.length + plan.index;
    if (!this.#rightVtables.has(known)) {
      this.#checkVtable(vtable, plan);
      this.#rightVtables.add(known);
    }
    this.#knownVtable[plan.index] = vtable;
    return vtable;
  }

  #checkVtable(vtable: number, plan: TablePlan): void {
    const { length } = this.#bytes;
    const vtableSize = this.#view.getUint16(vtable, true);
    const tableSize = this.#view.getUint16(vtable + 2, true);
    if (vtableSize < 4 || vtableSize % 2 !== 0) {
      this.#fail(vtable, `a vtable of ${inBytes(vtableSize)}, expected an even number from 4`);
    }
    if (vtableSize > MAX_VTABLE_NUMBER) this.#refuseNumber(vtable, vtableSize);
    if (vtable + vtableSize > length) this.#fail(vtable, `a vtable of ${inBytes(vtableSize)}`, "truncated");
    if (tableSize < 4) this.#fail(vtable + 2, `a table of ${inBytes(tableSize)}, expected at least 4`);
    const known = plan.fields.length;
    for (let id = known; !this.#lenient && slotOf(id) < vtableSize; id++) {
      // A newer schema may have added it. To leave it out would lose data in silence.
      if (this.#view.getUint16(vtable + slotOf(id), true) !== 0) {
        this.#fail(vtable + slotOf(id), `field ${id} is not in the schema, which has ${known}`);
      }
    }
    this.#coverage?.mark(vtable, vtable + vtableSize);
  }

  #value(place: number, plan: ValuePlan): void {
    if (plan.kind === "string") this.#string(this.#follow(place));
    else if (plan.kind === "table") this.#table(this.#follow(place), plan.table!);
    else if (plan.kind === "vector") this.#vector(this.#follow(place), plan, plan.element!);
    else if (plan.problem !== undefined) {
      const problem = plan.problem(this.#view, place);
      if (problem !== undefined) this.#fail(place, problem);
    }
  }

  /** The number of a union's member, which stands in the field before it; that field was checked before. */
  #unionNumber(table: number, vtable: number, id: number): number {
    const slot = slotOf(id - 1);
    const inTable = slot < this.#view.getUint16(vtable, true) ? this.#view.getUint16(vtable + slot, true) : 0;
    return inTable === 0 ? 0 : this.#bytes[table + inTable]!;
  }

  #union(
    table: number,
    vtable: number,
    id: number,
    place: number,
    members: ReadonlyMap<number, FieldPlan>,
  ): void {
    const number = this.#unionNumber(table, vtable, id);
    const member = members.get(number);
    if (member !== undefined) {
      this.#path[this.#steps - 1] = member.name;
      this.#value(place, member.value);
    } else if (number === 0) this.#fail(place, "a union whose number says that there is no value");
    else if (!this.#lenient) this.#fail(place, `the union has no member ${number}`);
    // Nothing is known of what a newer schema added but that an offset leads to it.
    else this.#follow(place, 1);
  }

  #string(start: number): void {
    const bytes = this.#bytes;
    const length = this.#view.getUint32(start, true);
    const first = start + 4;
    const end = first + length;
    if (end >= bytes.length) this.#fail(start, `a string of ${inBytes(length)}`, "truncated");
    if (bytes[end] !== 0) this.#fail(end, `expected a NUL after the string, got ${bytes[end]}`);
    this.#spend(stringMemory(length), start);
    if (!isText(bytes, first, end)) this.#fail(first, "not valid UTF-8");
    this.#coverage?.mark(start, end + 1);
  }

  #vector(start: number, plan: ValuePlan, element: ValuePlan): void {
    const count = this.#view.getUint32(start, true);
    const { size, align } = element;
    const first = start + 4;
    const end = first + count * size;
    if (end > this.#bytes.length) {
      this.#fail(start, `a vector of ${count} elements of ${inBytes(size)}`, "truncated");
    }
    // Of no elements flatc and the C++ library align none.
    if (count > 0 && first % align !== 0) this.#fail(first, `expected a multiple of ${align} as its place`);
    if (plan.length !== undefined && count !== plan.length) {
      this.#fail(start, `expected exactly ${plan.length} elements, got ${count}`);
    }
    this.#spend(vectorMemory(count, plan), start);
    this.#coverage?.mark(start, end);
    if ((element.kind === "scalar" || element.kind === "struct") && element.problem === undefined) return;
    this.#steps += 1;
    for (let i = 0; i < count; i++) {
      this.#path[this.#steps - 1] = i;
      this.#value(first + i * size, element);
    }
    this.#steps -= 1;
    if (plan.distinctKeys) this.#checkKeys(first, count, element.table!);
  }

  /** Of two entries with one key, a map would keep the last in silence. */
  #checkKeys(first: number, count: number, entry: TablePlan): void {
    const repeated = repeatedKey(this.#view, first, count, entry.fields[0]!.value);
    if (repeated === undefined) return;
    this.#path[this.#steps++] = repeated.index;
    this.#fail(first + 4 * repeated.index, `the key ${JSON.stringify(repeated.key)} stands twice`);
  }

  #spend(memory: number, at: number): void {
    this.#memory += memory;
    if (this.#memory > this.#maxMemory) {
      this.#fail(at, `takes more than ${this.#maxMemory} bytes of memory once decoded`, "limit");
    }
  }

  #refuseNumber(at: number, value: number): never {
    this.#fail(at, `${value} in a vtable, expected at most ${MAX_VTABLE_NUMBER}`, "unsupported");
  }

  #fail(offset: number, problem: string, code: DecodeProblem = "corrupt"): never {
    const path = pathText(this.#path.slice(0, this.#steps)) || undefined;
    throw new DecodeError("flatbuffers", problem, defined({ code, offset, path }));
  }
}

/**
 * The first of a vector's tables whose field 0 equals that of one before it. The tables were found right.
 * @param first place of the offset that leads to the first table
 */
function repeatedKey(
  view: DataView,
  first: number,
  count: number,
  plan: ValuePlan,
): { readonly index: number; readonly key: string } | undefined {
  const keys = new Set<string>();
  for (let index = 0; index < count; index++) {
    const place = first + 4 * index;
    const key = keyOf(view, place + view.getUint32(place, true), plan);
    if (keys.has(key)) return { index, key };
    keys.add(key);
  }
  return undefined;
}

/** As text, so that a 0 that is there equals one that was left out. */
function keyOf(view: DataView, table: number, { kind, scalar }: ValuePlan): string {
  const vtable = table - view.getInt32(table, true);
  const slot = slotOf(0);
  const inTable = view.getUint16(vtable, true) > slot ? view.getUint16(vtable + slot, true) : 0;
  if (inTable === 0) return kind === "string" ? "" : "0";
  const place = table + inTable;
  if (scalar !== undefined) return String(readInteger(view, place, scalar));
  const start = place + view.getUint32(place, true) + 4;
  const length = view.getUint32(start - 4, true);
  return Buffer.from(view.buffer, view.byteOffset + start, length).toString("utf8");
}

/** Below this, a loop over ASCII is done before a native call has begun. */
const SHORT = 48;

/** Whether bytes from `start` to `end` are valid UTF-8. */
function isText(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < SHORT) {
    let i = start;
    while (i < end && bytes[i]! < 0x80) i++;
    if (i === end) return true;
  }
  return isUtf8(bytes.subarray(start, end));
}
