import { globMatches, type Registry } from "../catalog/registry.ts";
import { UsageError } from "../model/errors.ts";
import { nearNames } from "../model/near-names.ts";
import { shuffled } from "../model/random.ts";
import type { Isolation } from "./plan.ts";

/** An operation to measure. */
export interface PlannedOperation {
  readonly name: string;
  readonly part: boolean;
}

/** How tables order operations; one that is not here comes after, by name. */
const ORDER = ["encode", "decode", "access", "build", "write", "read", "plain"];

/**
 * Operations by names or patterns, in the order of tables. By default those that are no part of another.
 * @param parts adds the parts
 */
export async function selectOperations(
  registry: Registry,
  patterns: readonly string[] | undefined,
  parts: boolean,
): Promise<PlannedOperation[]> {
  const names = registry.names("operations");
  const known = await Promise.all(
    names.map(async (name) => ({ name, part: (await registry.definition("operations", name)).part })),
  );
  const selected = known.filter(({ name, part }) => {
    const named = patterns?.some((pattern) => globMatches(pattern, name)) ?? !part;
    return named || (parts && part);
  });
  for (const pattern of patterns ?? []) {
    if (names.some((name) => globMatches(pattern, name))) continue;
    throw new UsageError(`unknown operation "${pattern}"${nearNames(pattern, names)}`);
  }
  if (selected.length === 0) throw new UsageError("no operation: expected at least one");
  const rank = (name: string): number => (ORDER.indexOf(name) + ORDER.length + 1) % (ORDER.length + 1);
  return selected.sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

/**
 * The operations that share a process, each group in the order in which it runs them: whole operations in random
 * order, then parts, which therefore cannot change what the whole ones find.
 */
export function grouped(
  operations: readonly PlannedOperation[],
  isolate: Isolation,
  random: () => number,
): string[][] {
  const order = (part: boolean): string[] =>
    shuffled(
      operations.filter((operation) => operation.part === part).map(({ name }) => name),
      random,
    );
  const names = [...order(false), ...order(true)];
  return isolate === "cell" ? names.map((name) => [name]) : [names];
}
