import type { Cursor } from "./cursor.ts";
import type { CEnum, CHeader, CMember, CStruct, CType } from "./declarations.ts";
import type { Token } from "./tokens.ts";

/** A struct or enum whose name may come later in the file. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** A type and the array bounds that a typedef adds to it. */
export interface TypeWithBounds {
  readonly type: CType;
  readonly dimensions: readonly number[];
}

/** A struct or an enum as a type. */
export type TaggedType = Extract<CType, { kind: "struct" | "enum" }>;

/**
 * The names that a header has declared so far. Tags have a space of their own; typedef names and enumerators
 * share one (C11, 6.2.3). A type is known by its first typedef name, else by its tag, else as `outer.member`.
 */
export class Scope {
  readonly enumerators = new Map<string, number>();
  readonly #cursor: Cursor;
  readonly #structs = new Map<CStruct, Token>();
  readonly #enums: CEnum[] = [];
  readonly #tags = new Map<string, TaggedType>();
  readonly #typedefs = new Map<string, TypeWithBounds>();
  readonly #named = new Set<CStruct | CEnum>();
  readonly #structNames = new Map<string, CStruct>();
  readonly #unnamed = new Map<Draft<CStruct | CEnum>, () => string>();

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  typedef(name: string): TypeWithBounds | undefined {
    return this.#typedefs.get(name);
  }

  tag(name: string): TaggedType | undefined {
    return this.#tags.get(name);
  }

  /** Enters a typedef name. */
  addTypedef(name: Token, type: CType, dimensions: readonly number[]): void {
    this.#refuseDuplicate(name);
    this.#typedefs.set(name.text, { type, dimensions });
    if (dimensions.length > 0 || type.kind === "scalar") return;
    if (type.kind === "struct") this.#addStructName(name, type.struct);
    const target: Draft<CStruct | CEnum> = type.kind === "struct" ? type.struct : type.enum;
    if (!this.#named.has(target)) target.name = name.text;
    this.#named.add(target);
  }

  /** Enters a tag, whether its members are known yet or not. */
  addTag(tag: Token, type: TaggedType): void {
    this.#tags.set(tag.text, type);
    if (type.kind === "struct") this.#addStructName(tag, type.struct);
  }

  /** Enters a struct whose members are complete. */
  addStruct(struct: CStruct, at: Token): void {
    this.#structs.set(struct, at);
  }

  isComplete(struct: CStruct): boolean {
    return this.#structs.has(struct);
  }

  addEnum(type: CEnum): void {
    this.#enums.push(type);
  }

  addEnumerator(name: Token, number: number): void {
    this.#refuseDuplicate(name);
    this.enumerators.set(name.text, number);
  }

  /** A struct or enum without a name is named after the first member that has it. */
  nameAfter(outer: CStruct, { name, type }: CMember): void {
    if (type.kind === "scalar") return;
    const inner: Draft<CStruct | CEnum> = type.kind === "struct" ? type.struct : type.enum;
    if (inner.name !== "" || this.#unnamed.has(inner)) return;
    this.#unnamed.set(inner, () => `${outer.name}.${name}`);
  }

  /** All that was declared, each type with its final name. */
  header(): CHeader {
    // An outer struct is met after the unnamed ones in it, and its name is part of theirs.
    for (const [type, name] of [...this.#unnamed].reverse()) if (type.name === "") type.name = name();
    for (const [struct, at] of this.#structs) this.#addStructName({ ...at, text: struct.name }, struct);
    const structs = [...this.#structs.keys()];
    return { structs, enums: this.#enums.filter((type) => type.name !== ""), names: this.#structNames };
  }

  #addStructName(name: Token, struct: CStruct): void {
    const known = this.#structNames.get(name.text);
    if (known !== undefined && known !== struct) {
      throw this.#cursor.error(`"${name.text}" names two structs`, name);
    }
    this.#structNames.set(name.text, struct);
  }

  #refuseDuplicate(name: Token): void {
    if (!this.#typedefs.has(name.text) && !this.enumerators.has(name.text)) return;
    throw this.#cursor.error(`"${name.text}" is declared twice`, name);
  }
}
