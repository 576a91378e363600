import { SchemaError } from "../../../model/errors.ts";
import type { EnumDeclaration, MessageDeclaration, Name, ProtoFile, Spot } from "./declarations.ts";
import type { Features } from "./features.ts";
import type { LoadedFile } from "./source.ts";

/** A message or an enum by its full name, with the features that hold in it. */
export type TypeSymbol =
  | {
      readonly kind: "message";
      readonly name: string;
      readonly file: ProtoFile;
      readonly features: Features;
      readonly declaration: MessageDeclaration;
    }
  | {
      readonly kind: "enum";
      readonly name: string;
      readonly file: ProtoFile;
      readonly features: Features;
      readonly declaration: EnumDeclaration;
    };

/** Anything else that takes up a name: a field, a oneof, a value of an enum. */
interface MemberSymbol {
  readonly kind: "member";
  readonly name: string;
  readonly file: ProtoFile;
}

/** What a file sees of the others. */
interface View {
  readonly files: ReadonlySet<ProtoFile>;
  /** The packages of these files, and those around them. */
  readonly packages: ReadonlySet<string>;
}

/** Every name that some files declare. */
export class Symbols {
  readonly #symbols = new Map<string, TypeSymbol | MemberSymbol>();
  readonly #views = new Map<ProtoFile, View>();

  constructor(files: readonly LoadedFile[]) {
    for (const one of files) this.#views.set(one.file, viewOf(one));
  }

  /** Declares a name. Throws SchemaError where another declaration has it. */
  add(symbol: TypeSymbol | MemberSymbol, spot: Spot): void {
    const { name, file } = symbol;
    const known = this.#symbols.get(name);
    if (known !== undefined) {
      const where = known.file === file ? "" : `, first in ${known.file.shown}`;
      throw new SchemaError(file.shown, `${name} is declared twice${where}`, spot);
    }
    this.#symbols.set(name, symbol);
  }

  /**
   * The type that a name means in a scope: in the innermost that has the name's first part, and is no field there
   * (language specification, "Message and Enum Types"). Throws SchemaError.
   * @param scope full name of a message or a package, "" for neither
   */
  type({ name, spot }: Name, scope: string, file: ProtoFile): TypeSymbol {
    const fail = (problem: string): SchemaError =>
      new SchemaError(file.shown, `type ${name} ${problem}`, spot);
    const full = this.#fullName(name, scope, file);
    const found = this.#symbols.get(full ?? "");
    if (found === undefined) throw fail(this.#missing(name, full, scope));
    if (found.kind === "member") throw fail("is no message and no enum");
    if (!this.#sees(file, found))
      throw fail(`is declared in ${found.file.shown}, which this file does not import`);
    return found;
  }

  #fullName(name: string, scope: string, file: ProtoFile): string | undefined {
    if (name.startsWith(".")) return name.slice(1);
    const [first = "", ...rest] = name.split(".");
    for (let around: string | undefined = scope; around !== undefined; around = outside(around)) {
      const candidate = joined(around, first);
      const symbol = this.#symbols.get(candidate);
      const isVisible = symbol !== undefined && this.#sees(file, symbol);
      if (isVisible ? symbol.kind !== "member" : rest.length > 0 && this.#seesPackage(file, candidate)) {
        return joined(around, name);
      }
    }
    return undefined;
  }

  #missing(name: string, full: string | undefined, scope: string): string {
    if (full !== undefined && full !== name && !name.startsWith(".")) {
      return `means ${full} here, which is not declared: a name that begins with a dot is a full name`;
    }
    for (let around: string | undefined = scope; around !== undefined; around = outside(around)) {
      const hidden = this.#symbols.get(joined(around, name));
      if (hidden?.kind === "member") return "is no message and no enum";
      if (hidden !== undefined) return `is declared in ${hidden.file.shown}, which this file does not import`;
    }
    return "is not declared";
  }

  #sees(file: ProtoFile, symbol: TypeSymbol | MemberSymbol): boolean {
    return this.#views.get(file)?.files.has(symbol.file) === true;
  }

  #seesPackage(file: ProtoFile, name: string): boolean {
    return this.#views.get(file)?.packages.has(name) === true;
  }
}

/** `scope.name`, or only the name in no scope. */
export function joined(scope: string, name: string): string {
  return scope === "" ? name : `${scope}.${name}`;
}

/** The scope around another; undefined where that is none itself. */
function outside(scope: string): string | undefined {
  return scope === "" ? undefined : scope.slice(0, Math.max(scope.lastIndexOf("."), 0));
}

function viewOf({ file, imports }: LoadedFile): View {
  const files = new Set([file]);
  const enter = (one: LoadedFile): void => {
    if (files.has(one.file)) return;
    files.add(one.file);
    for (const inner of one.imports) if (inner.isPublic) enter(inner.file);
  };
  for (const one of imports) enter(one.file);
  const packages = new Set<string>();
  for (const one of files) {
    for (let name: string | undefined = one.package; name; name = outside(name)) packages.add(name);
  }
  return { files, packages };
}
