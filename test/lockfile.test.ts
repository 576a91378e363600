/** `npm ci` refuses a lockfile that lacks a package, also one that is only for another platform. */
import { expect, it } from "vitest";
import lockfile from "../package-lock.json" with { type: "json" };

interface Locked {
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const packages = Object.entries(lockfile.packages as Record<string, Locked>);

it("has every package that another one names", () => {
  const known = new Set(packages.map(([place]) => place.slice(place.lastIndexOf("node_modules/") + 13)));
  const named = packages.flatMap(([, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }),
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(50);
});

it("leaves the registry to the user's settings", () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
