import { describe, expect, it } from "vitest";
import { growthOf, workReportedBy } from "./describe.ts";

describe("work of known growth", () => {
  const rows = workReportedBy("test/formats/linear-work/known-program.ts");

  it.each(rows)("$name", (work) => {
    const { steps, most } = growthOf(work);
    const found = steps[1]! <= most ? "linear" : "quadratic";
    expect(work.name, JSON.stringify(work)).toContain(`${found}: `);
  });
});
