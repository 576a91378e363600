import { placeMembers } from "../../formats/c-struct/declarations.ts";
import type { CMember } from "../../formats/c-struct/index.ts";

/** Groups of members, in the order in which they stand. */
const GROUPS = ["number", "text", "bytes", "list", "struct", "flexible"] as const;

/** The members of one field, which stay together, and the flag that goes with those of others. */
export interface FieldMembers {
  readonly group: (typeof GROUPS)[number];
  readonly members: readonly CMember[];
  readonly flag: CMember | undefined;
}

/** Puts the members of a struct into order: group by group, each as declared, the flags among the numbers. */
export function orderMembers(fields: readonly FieldMembers[]): CMember[] {
  const [numbers = [], ...others] = GROUPS.map((group) =>
    fields.filter((field) => field.group === group).flatMap((field) => field.members),
  );
  const flags = fields.flatMap(({ flag }) => (flag === undefined ? [] : [flag]));
  return withFlags(flags, numbers, others.flat());
}

/** Puts the flags, together, where they make the struct smallest; the first of equal places. */
function withFlags(
  flags: readonly CMember[],
  numbers: readonly CMember[],
  others: readonly CMember[],
): CMember[] {
  const at = (place: number): CMember[] => [
    ...numbers.slice(0, place),
    ...flags,
    ...numbers.slice(place),
    ...others,
  ];
  if (flags.length === 0) return at(0);
  const sizes = Array.from({ length: numbers.length + 1 }, (_, place) => placeMembers(at(place)).size);
  return at(sizes.indexOf(Math.min(...sizes)));
}
