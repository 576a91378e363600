/** What an exchange comes to before any message is sent. The processes run from dist/, as a user's do. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { exchange } from "../../dist/ipc/exchange/exchange.js";
import { specOf } from "./exchanges.ts";

const DIST = path.join(import.meta.dirname, "../../dist");

const folder = mkdtempSync(path.join(os.tmpdir(), "wbt-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A plugin whose codec cannot carry anything, and says so with the error class of some module. */
function refusing(name: string, errors: string): string {
  const file = path.join(folder, `${name}.mjs`);
  const url = (target: string): string => JSON.stringify(pathToFileURL(target).href);
  writeFileSync(
    file,
    `import { defineCodec } from ${url(path.join(DIST, "index.js"))};
    import { UnsupportedError } from ${url(errors)};
    const bind = () => { throw new UnsupportedError("it carries nothing"); };
    export default defineCodec({ format: "none", summary: "carries nothing", bind });`,
  );
  return file;
}

describe("a codec that says it cannot carry the data", () => {
  const copy = path.join(folder, "errors.mjs");
  for (const file of ["errors", "one-line"])
    copyFileSync(
      path.join(DIST, `model/${file}.js`),
      path.join(folder, `${file}.${file === "errors" ? "mjs" : "js"}`),
    );

  it.each([
    ["its own", path.join(DIST, "model/errors.js")],
    ["another copy's", copy],
  ])("is unsupported, and has not failed, with the error class of %s wirebench", async (_, errors) => {
    const name = errors === copy ? "copied" : "shared";
    const spec = specOf({ codec: name, plugins: [refusing(name, errors)] });
    expect(await exchange(spec)).toEqual({
      refused: { status: "unsupported", reason: "it carries nothing" },
    });
  });

  it("has failed with any other error", async () => {
    const other = path.join(folder, "other.mjs");
    writeFileSync(other, "export class UnsupportedError extends Error {}");
    const spec = specOf({ codec: "other-error", plugins: [refusing("other-error", other)] });
    expect(await exchange(spec)).toEqual({ refused: { status: "failed", reason: "it carries nothing" } });
  });
});
