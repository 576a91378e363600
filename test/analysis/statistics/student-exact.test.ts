/** Student's t and Fisher's F to nine digits, by scipy: see golden.py. */
import { describe, expect, it } from "vitest";
import { fisherTail, studentPoint, studentTails } from "../../../src/analysis/statistics/student.ts";
import golden from "./golden.json" with { type: "json" };

describe("Student's t", () => {
  it.each(golden.tails)("lies beyond %d with %d degrees in %d", (t, degrees, tails) => {
    expect(studentTails(t!, degrees!) / tails!).toBeCloseTo(1, 9);
    expect(studentTails(-t!, degrees!)).toBe(studentTails(t!, degrees!));
  });

  it.each(golden.points)("has the share %d, with %d degrees, beyond %d", (tails, degrees, point) => {
    expect(studentPoint(tails!, degrees!) / point!).toBeCloseTo(1, 9);
  });

  it("of no number is none", () => {
    expect(studentTails(Number.NaN, 3)).toBeNaN();
    expect(studentTails(Number.NEGATIVE_INFINITY, 3)).toBe(0);
  });
});

describe("Fisher's F", () => {
  it.each(golden.fisher)("lies beyond %d with %d and %d degrees in %d", (f, above, below, tail) => {
    expect(fisherTail(f!, above!, below!) / tail!).toBeCloseTo(1, 9);
  });

  it("of no number is none, is all beyond 0, and nothing beyond infinity", () => {
    expect(fisherTail(Number.NaN, 2, 3)).toBeNaN();
    expect(fisherTail(0, 2, 3)).toBe(1);
    expect(fisherTail(Number.POSITIVE_INFINITY, 2, 3)).toBe(0);
  });
});
