import { SchemaError, UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import { simpleName } from "../../model/schema.ts";

/**
 * The message that a value is, among those that a file declares.
 * @param wanted full name, or the end of one; where it is left out, the file may have only one that is in no other
 * @param all full names
 * @param contained those that others of the file hold
 * @param kind what the file's language calls them
 */
export function chooseRoot(
  file: string,
  wanted: string | undefined,
  all: readonly string[],
  contained: ReadonlySet<string>,
  kind: string,
): string {
  if (wanted !== undefined) {
    if (all.includes(wanted)) return wanted;
    const ending = all.filter((name) => name.endsWith(`.${wanted}`));
    if (ending.length === 1 && ending[0] !== undefined) return ending[0];
    const problem =
      ending.length > 1
        ? `is one of ${ending.join(", ")}: give the full name`
        : `is not in it${nearNames(wanted, wanted.includes(".") ? all : all.map(simpleName))}`;
    throw new UsageError(`${file}: ${kind} "${wanted}" ${problem}`);
  }
  const roots = all.filter((name) => !contained.has(name));
  if (roots.length === 1 && roots[0] !== undefined) return roots[0];
  if (all.length === 0) throw new SchemaError(file, `declares no ${kind}`);
  const choices = (roots.length > 0 ? roots : all).join(", ");
  throw new UsageError(`${file}: which ${kind} is it? give --message, one of ${choices}`);
}
