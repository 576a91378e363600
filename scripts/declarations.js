// The declarations of the package. Of all that the compiler makes, only what its exports lead to is of use to a user: each export has
// that in a file of its own, and one more has what several of them share.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const SHARED = "shared";

const COMMENT = /(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)*/.source;
const BEGIN = /(?:export|import|declare|interface|type|abstract)\b/.source;

/** A statement and the comment before it, as the compiler writes them: it begins in the first column, and so does the next. */
const STATEMENT = new RegExp(
  `^(${COMMENT})(${BEGIN}[\\s\\S]*?)(?=\\n${COMMENT}${BEGIN}|\\s*$(?![\\s\\S]))`,
  "gm",
);

/** The name that a statement declares, as the compiler writes it. */
const DECLARED = /^(?:declare )?(?:abstract )?(?:interface|type|class|function|const|let) ([\w$]+)/;

/**
 * Writes them into one folder.
 * @param from folder of the compiler's declarations
 * @param entries files in it, by the names that they are written by
 * @param to folder that is made
 */
export function writeDeclarations(from, entries, to) {
  const files = new Map();
  const fileOf = (file) => {
    if (!files.has(file)) files.set(file, parsed(readFileSync(path.join(from, file), "utf8"), file));
    return files.get(file);
  };

  /** Where a name that stands in a file is declared; undefined where the language or a type's parameter has it. */
  const declarationOf = (file, name) => {
    const { statements, imports } = fileOf(file);
    if (statements.has(name)) return `${file} ${name}`;
    const origin = imports.get(name);
    return origin && (origin.file === undefined ? undefined : exportOf(origin.file, origin.name));
  };
  const exportOf = (file, name) => {
    const { exports, stars } = fileOf(file);
    const origin = exports.get(name);
    if (origin !== undefined)
      return origin.file === file ? declarationOf(file, origin.name) : exportOf(origin.file, origin.name);
    return stars.map((star) => exportOf(star, name)).find((found) => found !== undefined);
  };
  const exportsOf = (file) => {
    const { exports, stars } = fileOf(file);
    return new Map([
      ...stars.flatMap((star) => [...exportsOf(star)]),
      ...[...exports.keys()].map((name) => [name, exportOf(file, name)]),
    ]);
  };

  // Which entries lead to each declaration.
  const users = new Map();
  const reach = (declaration, entry) => {
    const known = users.get(declaration) ?? new Set();
    if (known.has(entry)) return;
    users.set(declaration, known.add(entry));
    const [file, name] = declaration.split(" ");
    for (const used of namesIn(fileOf(file).statements.get(name))) {
      const next = declarationOf(file, used);
      if (next !== undefined) reach(next, entry);
    }
  };
  for (const [entry, file] of Object.entries(entries)) {
    for (const [name, declaration] of exportsOf(file)) {
      if (declaration === undefined) throw new Error(`${file}: ${name} is declared nowhere`);
      reach(declaration, entry);
    }
  }
  const homeOf = (declaration) => {
    const [only, another] = users.get(declaration);
    return another === undefined ? only : SHARED;
  };

  // In one file each name is declared once; what is shared may be in any.
  const declared = new Map();
  for (const declaration of users.keys()) {
    const [file, name] = declaration.split(" ");
    const home = homeOf(declaration);
    const alike = (declared.get(name) ?? []).filter(
      (one) => [SHARED, home].includes(one.home) || home === SHARED,
    );
    if (alike.length > 0)
      throw new Error(`${file} and ${alike[0].file} both declare ${name}: call one otherwise`);
    declared.set(name, [...(declared.get(name) ?? []), { file, home }]);
  }

  for (const entry of [SHARED, ...Object.keys(entries)]) {
    const own = [...users.keys()].filter((declaration) => homeOf(declaration) === entry);
    const exported =
      entry === SHARED
        ? own.map((declaration) => [nameOf(declaration), declaration])
        : [...exportsOf(entries[entry])];
    const externals = new Set();
    const used = exported.map(([, declaration]) => declaration);
    for (const declaration of own) {
      const [file, name] = declaration.split(" ");
      for (const word of namesIn(fileOf(file).statements.get(name))) {
        used.push(declarationOf(file, word));
        externals.add(fileOf(file).imports.get(word)?.statement);
      }
    }
    const shared = new Set(
      used.filter((one) => one !== undefined && entry !== SHARED && homeOf(one) === SHARED).map(nameOf),
    );
    const sharedFile = path.posix.relative(path.posix.dirname(`/${entry}`), `/${SHARED}.js`);
    const list = exported.map(([name, declaration]) =>
      nameOf(declaration) === name ? name : `${nameOf(declaration)} as ${name}`,
    );
    const text = [
      ...(entry === SHARED ? [] : fileOf(entries[entry]).about),
      ...externals,
      shared.size === 0
        ? undefined
        : `import { ${[...shared].join(", ")} } from "${sharedFile.startsWith(".") ? "" : "./"}${sharedFile}";`,
      ...own.map((declaration) => fileOf(declaration.split(" ")[0]).statements.get(nameOf(declaration))),
      `export { ${list.join(", ")} };`,
    ].filter((part) => part !== undefined);
    const file = path.join(to, `${entry}.d.ts`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${text.join("\n")}\n`);
  }
}

function nameOf(declaration) {
  return declaration.split(" ")[1];
}

/** All words of a statement but for its comments: some are names. */
function namesIn(text) {
  return new Set(text.replace(/\/\*\*[\s\S]*?\*\//g, "").match(/[A-Za-z_$][\w$]*/g));
}

/** What a file of the compiler says, statement by statement: each begins in the first column, after its comment. */
function parsed(text, file) {
  const statements = new Map();
  const imports = new Map();
  const exports = new Map();
  const stars = [];
  const about = [];
  for (const [, comment, statement] of text.matchAll(STATEMENT)) {
    const list = /^(?:import|export)(?: type)? \{([\s\S]*?)\}/.exec(statement)?.[1];
    const specifier = /from "([^"]+)";$/.exec(statement)?.[1];
    const target = specifier?.startsWith(".")
      ? path.posix.join(path.posix.dirname(file), specifier.replace(/\.(?:ts|js)$/, ".d.ts"))
      : undefined;
    const pairs = (list ?? "").split(",").flatMap((one) => {
      const [name, as = name] = one
        .trim()
        .replace(/^type /, "")
        .split(" as ");
      return name === "" ? [] : [[name, as]];
    });
    if (/^(?:import|export .*from)/s.test(statement) && comment !== "") about.push(comment.trimEnd());
    if (statement.startsWith("import")) {
      const external = /^import (?:type )?(?:\* as )?(\w+) from/.exec(statement)?.[1];
      if (target === undefined)
        for (const name of external ? [external] : pairs.map(([, as]) => as))
          imports.set(name, { statement });
      // A name keeps its declaration's.
      else if (list === undefined || pairs.some(([name, as]) => name !== as))
        throw new Error(`${file}: cannot follow ${statement}`);
      else for (const [name] of pairs) imports.set(name, { file: target, name });
    } else if (list !== undefined) {
      for (const [name, as] of pairs) exports.set(as, { file: target ?? file, name });
    } else if (target !== undefined) stars.push(target);
    else if (statement.startsWith("export default ")) {
      exports.set("default", { file, name: /([\w$]+);$/.exec(statement)[1] });
    } else {
      const isExported = statement.startsWith("export ");
      const own = statement.replace(/^export /, "");
      const name = DECLARED.exec(own)?.[1];
      if (name === undefined) throw new Error(`${file}: cannot follow ${statement}`);
      statements.set(name, `${statements.has(name) ? `${statements.get(name)}\n` : ""}${comment}${own}`);
      if (isExported) exports.set(name, { file, name });
    }
  }
  return { statements, imports, exports, stars, about };
}
