/** METHODOLOGY has the limits as they are. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { INJECTED, TURNS } from "../../../src/suite/doctor/known-turns.ts";
import { MACHINE_LIMITS } from "../../../src/suite/doctor/machine-checks.ts";
import { PROOF_LIMITS } from "../../../src/suite/doctor/proof.ts";

const text = readFileSync(path.join(import.meta.dirname, "../../../METHODOLOGY.md"), "utf8");
const section = text.split("## Can this machine measure?")[1]?.split("\n## ")[0] ?? "";
const prose = section.replace(/\s+/g, " ");

const percent = (share: number): string => `${share * 100} %`;

it.each([
  ["busy before", "busy", percent],
  ["clock step", "clockStep", (nanos: number) => `${nanos} ns`],
  ["clock call", "clockCall", (nanos: number) => `${nanos} ns`],
  ["memory taken", "memoryTaken", percent],
  ["pages swapped", "swapped", String],
  ["speed over time", "speed", percent],
  ["measuring processes", "disturbed", percent],
] as const)("METHODOLOGY has the limits of %s", (name, key, format) => {
  const row = section.split("\n").find((line) => line.startsWith("|") && line.includes(name));
  const { most, bad } = MACHINE_LIMITS[key];
  expect(row?.endsWith(`| ${format(most)} | ${format(bad)} |`), row).toBe(true);
});

it("METHODOLOGY has what the tool must achieve, and on what", () => {
  expect(prose).toContain(`recover the cost within ${percent(PROOF_LIMITS.cost)}`);
  expect(prose).toContain(`in no more than ${percent(PROOF_LIMITS.alike)} of comparisons`);
  expect(prose).toContain("never call a slower variant faster");
  expect(PROOF_LIMITS.reversed).toBe(0);
  expect(prose).toContain("in at least nine of ten trials");
  expect(PROOF_LIMITS.found).toBe(0.9);
  expect(prose).toContain(`${TURNS.toLocaleString("en-US")} turns`);
  const slower = [...INJECTED.values()].filter((share) => share > 0).map((share) => Math.round(share * 100));
  expect(prose).toContain(`that spend ${slower.slice(0, -1).join(", ")} and ${slower.at(-1)} % more`);
});
