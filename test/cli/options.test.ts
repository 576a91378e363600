import { expect, it } from "vitest";
import { collectRuntimes, share, single } from "../../src/cli/options.ts";

it.each([
  ["5%", 0.05],
  ["5 %", 0.05],
  ["2.5%", 0.025],
  ["0.05", 0.05],
  [".05", 0.05],
  ["0", 0],
  ["0%", 0],
  ["200%", 2],
])("%s is a share", (text, value) => {
  expect(share(text)).toBeCloseTo(value, 12);
});

it.each(["5", "1", "5.0"])("%s alone could be per cent or not", (text) => {
  expect(() => share(text)).toThrow(`${text} alone could be either`);
});

it.each(["", "%", "-1%", "0,5%", "5%%", "much", "1e3%", "NaN", "Infinity"])("%j is no share", (text) => {
  expect(() => share(text)).toThrow("expected a share, as 5% or 0.05");
});

it.each([
  ["node,bun", ["node", "bun"]],
  ["node,bunn", ["node", "bunn"]],
  ["node:/opt/a,deno@/opt/b,bun", ["node:/opt/a", "deno@/opt/b", "bun"]],
  ["node:/opt/a,b/node,bun", ["node:/opt/a,b/node", "bun"]],
  ["node:/a,,b,", ["node:/a,,b,"]],
  ["", [""]],
])("%j names the runtimes %j, with the commas of their paths", (text, specs) => {
  expect(collectRuntimes(text, ["deno"])).toEqual(["deno", ...specs]);
});

it.each([
  ["nats://me:my secret@b", "nats://me:secret@a", '--nats: it is given twice, with "nats://a" before.'],
  ["b", "nats://me:secret@a", 'it is given twice, with "nats://a" before.'],
  ["b", "a", 'it is given twice, with "a" before.'],
])("of %j after %j no password is told", (value, previous, problem) => {
  expect(() => single("--nats <server>", "").parseArg?.(value, previous)).toThrow(
    expect.objectContaining({ message: problem }),
  );
});
