import { UsageError } from "./errors.ts";
import { nearNames } from "./near-names.ts";
import { show } from "./value.ts";

/** An option that is one of some names. Throws UsageError with the near ones. */
export function expectName<Name extends string>(
  option: string,
  name: Name,
  known: Readonly<Record<Name, unknown>>,
): Name {
  if (Object.hasOwn(known, name)) return name;
  throw new UsageError(`unknown ${option} "${name}"${nearNames(String(name), Object.keys(known))}`);
}

/** An option that is a number within bounds. Throws UsageError. */
export function expectNumber(
  option: string,
  value: number,
  { integer, least, most }: { integer: boolean; least: number; most: number },
): number {
  if (value >= least && value <= most && (!integer || Number.isInteger(value))) return value;
  throw new UsageError(
    `${option}: expected ${integer ? "a whole number" : "a number"} from ${least} to ${most}, got ${value}`,
  );
}

/** Throws UsageError for an option that nobody knows: one with a typing mistake would be ignored in silence. */
export function expectKnown(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`unknown option "${unknown}"${nearNames(unknown, known)}`);
}

/** Throws UsageError unless options are an object. @param what they are for */
export function expectOptions(what: string, options: unknown): asserts options is object {
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return;
  throw new UsageError(`${what}: expected an object, got ${show(options)}`);
}

/** Throws UsageError unless an option is a list or absent. */
export function expectList(option: string, value: unknown): void {
  if (value === undefined || Array.isArray(value)) return;
  throw new UsageError(`${option}: expected a list, got ${show(value)}`);
}
