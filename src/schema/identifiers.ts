/**
 * Gives each name of a scope an identifier that a schema language accepts: letters, digits and underscores,
 * not starting with a digit, none of the language's reserved words, and no two alike.
 * @param style brings a clean name into the language's own form, as in lowerCamelCase
 * @param fold names are alike when this is equal; by default when they are the same
 */
export function identifiers(
  names: Iterable<string>,
  options: {
    reserved?: ReadonlySet<string>;
    style?: (name: string) => string;
    fold?: (name: string) => string;
  } = {},
): ReadonlyMap<string, string> {
  const { reserved = new Set<string>(), style = (name) => name, fold = (name) => name } = options;
  const taken = new Set<string>();
  const result = new Map<string, string>();
  for (const name of names) {
    const base = style(cleaned(name));
    let candidate = reserved.has(base) ? `${base}_` : base;
    for (let i = 2; taken.has(fold(candidate)) || reserved.has(candidate); i++) candidate = `${base}${i}`;
    taken.add(fold(candidate));
    result.set(name, candidate);
  }
  return result;
}

function cleaned(name: string): string {
  const letters = name.replace(/[^A-Za-z0-9_]+/g, "_");
  return /^[A-Za-z_]/.test(letters) ? letters : `_${letters}`;
}

/** `phone_num` as `phoneNum`. */
export function lowerCamelCase(name: string): string {
  const camel = name
    .replace(/^_+/, "")
    .replace(/_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return camel.charAt(0).toLowerCase() + camel.slice(1).replace(/_+$/, "");
}
