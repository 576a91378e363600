import { globMatches, type Registry, splitName } from "../catalog/registry.ts";
import { UsageError } from "../model/errors.ts";
import { nearNames } from "../model/near-names.ts";
import type { Reads } from "../model/records/run.ts";
import type { Isolation } from "./selection.ts";

/** An operation to measure. */
export interface PlannedOperation {
  readonly name: string;
  readonly part: boolean;
  /** How much of a message it reads, in a study of partial reads. */
  readonly reads?: Reads;
  /** The only dataset that it is measured on; all of them where it is absent. */
  readonly dataset?: string;
}

/** How tables order operations; one that is not here comes after, by name. */
const ORDER = ["encode", "decode", "access", "pick", "update", "reads", "build", "write", "read", "plain"];

/**
 * Operations by names or patterns, in the order of tables. By default those that are neither part of another nor
 * optional. One that needs an argument is selected by its name with one, as in `reads:4:2`, and by no pattern.
 * @param parts adds the parts
 */
export async function selectOperations(
  registry: Registry,
  patterns: readonly string[] | undefined,
  parts: boolean,
): Promise<PlannedOperation[]> {
  const names = registry.names("operations");
  const withArgument = new Set(patterns?.filter((pattern) => splitName(pattern)[1] !== undefined));
  const known = await Promise.all(
    [...names, ...withArgument].map(async (name) => {
      const { part, optional = false, argument } = await registry.definition("operations", name);
      return { name, part, optional, argument };
    }),
  );
  const selected = known.filter(({ name, part, optional, argument }) => {
    if (argument !== undefined) return false;
    const named = patterns?.some((pattern) => globMatches(pattern, name)) ?? !(part || optional);
    return named || (parts && part);
  });
  for (const pattern of patterns ?? []) {
    const argument = known.find(({ name }) => name === pattern)?.argument;
    if (argument !== undefined)
      throw new UsageError(`operation "${pattern}": expected ${pattern}:${argument.form}`);
    if (known.some(({ name }) => globMatches(pattern, name))) continue;
    throw new UsageError(`unknown operation "${pattern}"${nearNames(pattern, names)}`);
  }
  if (selected.length === 0) throw new UsageError("no operation: expected at least one");
  const rank = (name: string): number => {
    const [base] = splitName(name);
    return (ORDER.indexOf(base) + ORDER.length + 1) % (ORDER.length + 1);
  };
  return selected
    .map(({ name, part }) => ({ name, part }))
    .sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

/** The operations that are measured on a dataset. */
export function operationsOn(operations: readonly PlannedOperation[], dataset: string): PlannedOperation[] {
  return operations.filter((operation) => operation.dataset === undefined || operation.dataset === dataset);
}

/**
 * The operations that share a process, each group in the order in which it runs them: whole operations first, then parts.
 * It is the same order in each process, so that what comes before an operation is always the same.
 */
export function grouped(operations: readonly PlannedOperation[], isolate: Isolation): string[][] {
  const namesOf = (parts: boolean): string[] =>
    operations.filter(({ part }) => part === parts).map(({ name }) => name);
  const names = [...namesOf(false), ...namesOf(true)];
  return isolate === "cell" ? names.map((name) => [name]) : [names];
}
