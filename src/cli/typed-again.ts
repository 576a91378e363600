import type { Option } from "commander";

/** The words that give these options again the values that they were given; nothing for those that were not. */
export function typedAgain(options: readonly Option[], flags: object): string[] {
  const given = flags as Readonly<Record<string, unknown>>;
  return options.flatMap((option) => {
    const value = given[option.attributeName()];
    const name = option.long ?? option.flags;
    if (value === undefined || value === false) return [];
    if (value === true) return [name];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [name, String(one)]);
  });
}
