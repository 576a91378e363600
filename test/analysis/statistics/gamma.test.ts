import { describe, expect, it } from "vitest";
import { digamma, logGamma, trigamma, trigammaInverse } from "../../../src/analysis/statistics/gamma.ts";

describe("the gamma function", () => {
  // scipy 1.17.1: gammaln(x), digamma(x), polygamma(1, x)
  it.each([
    [0.05, 2.968879201051731, -20.49784499129987, 401.53235734211506],
    [0.5, 0.5723649429247, -1.9635100260214235, 4.93480220054468],
    [1, 0, -0.5772156649015329, 1.6449340668482266],
    [2.5, 0.2846828704729192, 0.7031566406452432, 0.4903577561002349],
    [9.99, 12.779315214350195, 2.250700372831201, 0.10527695014824176],
    [10, 12.801827480081469, 2.251752589066721, 0.10516633568168576],
    [37.5, 97.5217752228882, 3.6109483445963386, 0.027025382266785015],
    [1000, 5905.220423209181, 6.907255195648812, 0.001000500166666633],
  ])("and its derivatives at %d", (x, log, first, second) => {
    expect(logGamma(x)).toBeCloseTo(log, 10);
    expect(digamma(x)).toBeCloseTo(first, 11);
    expect(trigamma(x) / second).toBeCloseTo(1, 11);
  });

  it.each([1e-9, 1e-3, 0.5, 1, 3.7, 100, 1e9])(
    "gives the number back that trigamma was taken of: %d",
    (x) => {
      expect(trigammaInverse(trigamma(x)) / x).toBeCloseTo(1, 9);
    },
  );
});
