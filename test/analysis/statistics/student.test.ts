import { describe, expect, it } from "vitest";
import { studentPoint, studentTails } from "../../../src/analysis/statistics/student.ts";

describe("Student's t", () => {
  // Points of printed tables.
  it.each([
    [0.05, 1, 12.7062],
    [0.05, 2, 4.3027],
    [0.05, 7, 2.3646],
    [0.05, 15, 2.1314],
    [0.001, 7, 5.4079],
    [0.4, 7, 0.896],
    [0.05, 1e6, 1.96],
  ])("has %d outside of its point with %d degrees: %d", (tails, degrees, point) => {
    expect(studentPoint(tails, degrees)).toBeCloseTo(point, 3);
    expect(studentTails(point, degrees)).toBeCloseTo(tails, 4);
  });

  it.each([0.5, 1, 2.5, 7, 30.3])(
    "gives the tails back that a point was asked for, of %d degrees",
    (degrees) => {
      for (const tails of [1e-9, 0.001, 0.05, 0.5, 0.999])
        expect(studentTails(studentPoint(tails, degrees), degrees) / tails).toBeCloseTo(1, 6);
    },
  );

  it("has all of it outside of 0 and nothing beyond infinity", () => {
    expect(studentTails(0, 3)).toBe(1);
    expect(studentTails(Number.POSITIVE_INFINITY, 3)).toBe(0);
    expect(studentPoint(1, 3)).toBeCloseTo(0);
  });
});
