import {
  readInteger,
  SCALAR_SIZES,
  type ScalarName,
  type ScalarShape,
  type StructShape,
  type TableShape,
  type TypeShape,
} from "./shape.ts";

/** A table's shape with all that can be known before there are bytes. */
export interface TablePlan {
  /** Its place among the plans that were made together. */
  readonly index: number;
  readonly fields: readonly FieldPlan[];
  /** Bytes of memory of the object that it decodes to, before it has any field. */
  readonly memory: number;
}

/** What is checked of one field. */
export interface FieldPlan {
  readonly name: string;
  readonly required: boolean;
  readonly value: ValuePlan;
}

/** What is checked of a field's value or of a vector's element. All have the same properties, for speed. */
export interface ValuePlan {
  readonly kind: TypeShape["kind"];
  /** Bytes within the table or the vector, and the alignment there: 4 where it is an offset. */
  readonly size: number;
  readonly align: number;
  readonly scalar: ScalarName | undefined;
  /** What is wrong with the scalar at a place; undefined where any bytes are right. */
  readonly problem: ((view: DataView, place: number) => string | undefined) | undefined;
  /** What the table or vector holds. */
  readonly table: TablePlan | undefined;
  readonly element: ValuePlan | undefined;
  /** Members of a union by their number. */
  readonly members: ReadonlyMap<number, FieldPlan> | undefined;
  readonly length: number | undefined;
  readonly distinctKeys: boolean;
}

/** The plan of a root, how many there are with it, and the most bytes of padding between two parts of a message. */
export interface Plans {
  readonly root: TablePlan;
  readonly count: number;
  readonly padding: number;
}

/** Makes the plan of a table and of all that it contains. */
export function planOf(shape: TableShape): Plans {
  const plans = new Map<TableShape, TablePlan>();
  let structs = 1;
  const root = tablePlan(shape);
  // flatc places a struct that it reads from JSON twice: what it was aligned by first stays, and then comes what the next part is.
  const padding = Math.max(8, structs) - 1 + (structs - 1);
  return { root, count: plans.size, padding };

  function tablePlan(shape: TableShape): TablePlan {
    const known = plans.get(shape);
    if (known !== undefined) return known;
    const fields: FieldPlan[] = [];
    // An object of V8 has a header of three words, and one word for each property.
    const memory = shape.memory ?? 24 + 8 * shape.fields.length;
    const plan = { index: plans.size, fields, memory };
    plans.set(shape, plan);
    for (const { name, type, required = false } of shape.fields) {
      fields.push({ name, required, value: valuePlan(type) });
    }
    return plan;
  }

  function valuePlan(type: TypeShape): ValuePlan {
    const isVector = type.kind === "vector";
    if (type.kind === "struct") structs = Math.max(structs, type.align);
    const size = type.kind === "scalar" ? SCALAR_SIZES[type.scalar] : type.kind === "struct" ? type.size : 4;
    return {
      kind: type.kind,
      size,
      align: type.kind === "struct" ? type.align : size,
      scalar: type.kind === "scalar" ? type.scalar : undefined,
      problem:
        type.kind === "scalar"
          ? scalarProblem(type)
          : type.kind === "struct"
            ? structProblem(type)
            : undefined,
      table: type.kind === "table" ? tablePlan(type.table) : undefined,
      element: isVector ? valuePlan(type.element) : undefined,
      members:
        type.kind === "union"
          ? new Map(
              [...type.members].map(([number, { name, type: member }]) => [
                number,
                { name, required: false, value: valuePlan(member) },
              ]),
            )
          : undefined,
      length: isVector ? type.length : undefined,
      distinctKeys: isVector && type.distinctKeys === true,
    };
  }
}

/** What is wrong with any scalar of a struct. */
function structProblem({ scalars }: StructShape): ValuePlan["problem"] {
  const checked = scalars.flatMap(({ name, offset, shape }) => {
    const problem = scalarProblem(shape);
    return problem === undefined ? [] : [{ name, offset, problem }];
  });
  if (checked.length === 0) return undefined;
  return (view, place) => {
    for (const { name, offset, problem } of checked) {
      const found = problem(view, place + offset);
      if (found !== undefined) return `${name}: ${found}`;
    }
    return undefined;
  };
}

function scalarProblem({ scalar, values, safe }: ScalarShape): ValuePlan["problem"] {
  if (scalar === "bool") {
    return (view, place) => {
      const byte = view.getUint8(place);
      return byte > 1 ? `expected a bool of 0 or 1, got ${byte}` : undefined;
    };
  }
  if (values !== undefined) {
    return (view, place) => {
      const value = Number(readInteger(view, place, scalar));
      return values.has(value) ? undefined : `the enum has no value ${value}`;
    };
  }
  if (!safe || SCALAR_SIZES[scalar] < 8) return undefined;
  return (view, place) => {
    // The halves as a number: exact where it is safe, and no bigint is made.
    const high = scalar === "long" ? view.getInt32(place + 4, true) : view.getUint32(place + 4, true);
    const value = high * 2 ** 32 + view.getUint32(place, true);
    if (Number.isSafeInteger(value)) return undefined;
    return `${readInteger(view, place, scalar)} is beyond 2^53, and the reader wants safe integers`;
  };
}

/** Where a vtable holds the place of the field with that id: after its own size and the table's. */
export function slotOf(id: number): number {
  return 4 + 2 * id;
}

// Estimates of what V8 keeps of a decoded message, measured in Node 20 on x86-64 and rounded up.

/** What a scalar takes besides the word that holds it: a bigint is an object, and so are most numbers. */
export function scalarMemory(size: number): number {
  return size === 8 ? 32 : size === 4 ? 16 : 0;
}

/** An object with a number for each byte of a struct at most, and those within it. */
export function structMemory(size: number): number {
  return 56 + 24 * size;
}

/** A string of so many bytes of UTF-8: two bytes a character at the most. */
export function stringMemory(bytes: number): number {
  return 32 + 2 * bytes;
}

/** An array that grew element by element has room for half as many again, and for 17 at least. */
export function vectorMemory(count: number, { element, distinctKeys }: ValuePlan): number {
  const each =
    element?.kind === "scalar"
      ? scalarMemory(element.size)
      : element?.kind === "struct"
        ? structMemory(element.size)
        : 0;
  return 200 + count * ((distinctKeys ? MAP_ENTRY : 12) + each);
}

/** An entry of an object that is used as a map, its key included. */
const MAP_ENTRY = 200;
