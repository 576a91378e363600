import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import protobuf from "protobufjs";
import { fileProblem, type Place, SchemaError } from "../../model/errors.ts";

/** A .proto file and everything it imports, parsed and resolved. */
export interface ProtoSource {
  readonly file: string;
  readonly root: protobuf.Root;
  /** Package of the file itself, "" when it declares none. */
  readonly package: string;
  /** Full names of the messages that the file itself declares, in order. */
  readonly messages: readonly string[];
  /** First mention of a name in any of the files. The reflection of protobufjs knows no places. */
  locate(name: string): Place | undefined;
  /** An integer default as a field's declaration has it; undefined where no or more than one declaration does. */
  integerDefault(field: string, number: number): bigint | undefined;
}

/** Reads a .proto file and its imports. Throws SchemaError with file, line and column. */
export function readProtoSource(file: string): ProtoSource {
  const root = new protobuf.Root();
  const sources = new Map<string, string>();
  const { package: name, messages } = parseFile(root, file, sources);
  const locate = (word: string): Place | undefined => {
    for (const [source, text] of sources) {
      const place = mentionOf(text, source, word, "first");
      if (place !== undefined) return place;
    }
    return undefined;
  };
  try {
    root.resolveAll();
  } catch (error) {
    const problem = String((error as Error).message);
    const [, subject = ""] = /(?:'|^Unknown edition: )([^']+)/.exec(problem) ?? [];
    throw new SchemaError(file, problem, locate(subject), { cause: error });
  }
  const integerDefault = (field: string, number: number): bigint | undefined =>
    integerDefaultIn([...sources.values()], field, number);
  return { file, root, package: name, messages, locate, integerDefault };
}

function parseFile(
  root: protobuf.Root,
  file: string,
  sources: Map<string, string>,
): Pick<ProtoSource, "package" | "messages"> {
  const text = readText(file);
  sources.set(file, text);
  refuseProto(file, text);
  let parsed: protobuf.IParserResult;
  try {
    parsed = protobuf.parse(text, root, { keepCase: true });
  } catch (error) {
    throw misparsed(error, file, text);
  }
  // Before what it imports: the first file finds its own messages only.
  const messages = declaredMessages(root);
  for (const name of [...(parsed.imports ?? []), ...(parsed.weakImports ?? [])]) {
    importFile(root, name, file, sources);
  }
  return { package: parsed.package ?? "", messages };
}

function importFile(root: protobuf.Root, name: string, importer: string, sources: Map<string, string>): void {
  const place = (): Place | undefined => mentionOf(sources.get(importer) ?? "", importer, name, "first");
  if (path.isAbsolute(name) || name.split("/").includes("..")) {
    throw new SchemaError(importer, `import "${name}" leaves the source tree`, place());
  }
  const found = findImport(name, importer);
  if (found === path.resolve(importer)) {
    throw new SchemaError(importer, `import "${name}": the file imports itself`, place());
  }
  if (found !== undefined) {
    const known = [...sources.keys()].some((source) => path.resolve(source) === found);
    if (!known) parseFile(root, found, sources);
    return;
  }
  const bundled = protobuf.common.get(name);
  if (bundled === null) {
    throw new SchemaError(
      importer,
      `import "${name}" not found in ${path.dirname(path.resolve(importer))} or a folder above it`,
      place(),
    );
  }
  if (!sources.has(name)) {
    sources.set(name, "");
    root.addJSON(bundled.nested ?? {});
  }
}

/** An import is named from the root of a source tree, which is the importer's folder or one above it. */
function findImport(name: string, importer: string): string | undefined {
  for (let folder = path.dirname(path.resolve(importer)); ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, name);
    if (existsSync(candidate)) return candidate;
    if (path.dirname(folder) === folder) return undefined;
  }
}

function integerDefaultIn(texts: readonly string[], field: string, number: number): bigint | undefined {
  const digits = "(-?)\\s*(0[xX][0-9a-fA-F]+|[0-9]+)";
  const declaration = new RegExp(
    `\\b${field}\\s*=\\s*${number}\\s*\\[[^\\]]*\\bdefault\\s*=\\s*${digits}`,
    "g",
  );
  const found = texts.flatMap((text) =>
    [...text.matchAll(declaration)].map(([, sign, literal = ""]) => {
      const magnitude = BigInt(literal.replace(/^0(?=[0-7])/, "0o"));
      return sign === "-" ? -magnitude : magnitude;
    }),
  );
  return new Set(found).size === 1 ? found[0] : undefined;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new SchemaError(file, fileProblem(error));
  }
}

/** protobufjs silently leaves a field of this name out, so that its data would be lost. */
function refuseProto(file: string, text: string): void {
  if (!text.includes("__proto__")) return;
  const tokens = protobuf.tokenize(text, false);
  try {
    for (let token = tokens.next(); token !== null; token = tokens.next()) {
      if (token !== "__proto__") continue;
      const place = { line: tokens.line, column: columnOf(text, tokens.line, token) };
      throw new SchemaError(file, 'the name "__proto__" cannot be used', place);
    }
  } catch (error) {
    // What cannot be split into tokens is reported by the parser.
    if (error instanceof SchemaError) throw error;
  }
}

/** Full names of the messages in a namespace, outer before inner. */
export function declaredMessages(space: protobuf.NamespaceBase): string[] {
  return space.nestedArray.flatMap((item) => {
    const own = item instanceof protobuf.Type ? [item.fullName.slice(1)] : [];
    return item instanceof protobuf.Namespace ? [...own, ...declaredMessages(item)] : own;
  });
}

/** protobufjs says `illegal token 'x', '=' expected (line 3)`, or no line at all for a duplicate. */
function misparsed(error: unknown, file: string, text: string): SchemaError {
  const said = String((error as Error).message);
  const line = Number(/line (\d+)\)$/.exec(said)?.[1]);
  const problem = said.replace(/ \((?:[^()]*, )?line \d+\)$/, "");
  if (problem.startsWith("illegal end of input")) {
    const lines = text.split("\n");
    const place = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    return new SchemaError(file, "unexpected end of file", place, { cause: error });
  }
  if (problem === "field must be a Field") {
    const place = groupInOneof(text, file);
    return new SchemaError(file, "a group in a oneof cannot be read", place, { cause: error });
  }
  const quoted = /'(.*?)'/.exec(problem)?.[1] ?? "";
  if (!Number.isNaN(line)) {
    return new SchemaError(file, problem, { line, column: columnOf(text, line, quoted) }, { cause: error });
  }
  const subject = /^(?:duplicate id|id|Unknown edition:) (\S+)/.exec(problem)?.[1] ?? quoted;
  return new SchemaError(file, problem, mentionOf(text, file, subject, "last"), { cause: error });
}

/** Where the first group is that stands in a oneof: protobufjs has no place for it. */
function groupInOneof(text: string, file: string): Place | undefined {
  for (const { index } of text.matchAll(/\boneof\s+\w+\s*\{/g)) {
    const found = mentionOf(text, file, "group", "first", index);
    if (found !== undefined && isInBraces(text, index, found)) return found;
  }
  return undefined;
}

/** Whether the first brace from an offset on is still open at a place. */
function isInBraces(text: string, from: number, { line, column }: Place): boolean {
  const before = text.split("\n").slice(0, line - 1);
  const end = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  const between = text.slice(from, end);
  return between.split("{").length > between.split("}").length;
}

function columnOf(text: string, line: number, token: string): number {
  return Math.max((text.split("\n")[line - 1] ?? "").indexOf(token), 0) + 1;
}

function mentionOf(
  text: string,
  file: string,
  word: string,
  which: "first" | "last",
  from = 0,
): Place | undefined {
  if (word === "") return undefined;
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = text.matchAll(new RegExp(`(?<![\\w.])${escaped}(?![\\w.])`, "g"));
  const mentions = [...found].filter(({ index }) => index >= from);
  const index = (which === "first" ? mentions[0] : mentions.at(-1))?.index;
  if (index === undefined) return undefined;
  const before = text.slice(0, index).split("\n");
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
