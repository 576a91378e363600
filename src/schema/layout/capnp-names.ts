import { identifiers, lowerCamelCase } from "../identifiers.ts";

/**
 * Cap'n Proto's names of a scope: lowerCamelCase for fields and enumerants, UpperCamelCase for types, without
 * underscores, no two alike (language reference, "Names"). Each name is given as its path, so that the flag of
 * a field `x` and a field `has_x` stay two.
 */
export function fieldNames(paths: Iterable<readonly string[]>): (...path: string[]) => string {
  return namesOf(paths, (name) => startingWith(/^[a-z]/, "field", camelCase(name)));
}

/** {@link fieldNames} for structs and enums; the package is left out of their names. */
export function typeNames(
  paths: Iterable<readonly string[]>,
  packageName: string,
): (...path: string[]) => string {
  const prefix = `_${packageName.replace(/[^A-Za-z0-9_]+/g, "_")}_`;
  return namesOf(paths, (name) => {
    const camel = camelCase(name.startsWith(prefix) && name !== prefix ? name.slice(prefix.length) : name);
    const type = startingWith(/^[A-Z]/, "Type", camel.charAt(0).toUpperCase() + camel.slice(1));
    // Without its digits, because a number is what tells a name from one before it.
    return BUILT_IN.has(type.replace(/\d+$/, "")) ? `${type}Type` : type;
  });
}

/** Built-in types, which a type of the same name would hide. The numbers of `Int8` and the like are left out. */
const BUILT_IN = new Set([
  ...["Void", "Bool", "Int", "UInt", "Float", "Text", "Data", "List"],
  ...["AnyPointer", "AnyStruct", "AnyList", "Capability"],
]);

function namesOf(
  paths: Iterable<readonly string[]>,
  style: (name: string) => string,
): (...path: string[]) => string {
  const names = identifiers(
    Array.from(paths, (path) => JSON.stringify(path)),
    { style },
  );
  return (...path) => {
    const name = names.get(JSON.stringify(path));
    if (name === undefined) throw new Error(`no name was made for ${path.join(".")}`);
    return name;
  };
}

/** `PHONE_NUM` as `phoneNum`: capitals throughout are a convention, not a spelling. */
function camelCase(name: string): string {
  return lowerCamelCase(name === name.toUpperCase() ? name.toLowerCase() : name);
}

function startingWith(start: RegExp, prefix: string, name: string): string {
  return start.test(name) ? name : prefix + name;
}
