/** What the tests of structs share. */
import { expect } from "vitest";
import { type CompiledStruct, compileStruct, parseHeader } from "../../../src/formats/c-struct/index.ts";
import type { DecodeError, ValueError } from "../../../src/model/errors.ts";
import type { Int64Mode } from "../../../src/model/schema.ts";

/** A struct `s` with these members, compiled. */
export function members(text: string, int64: Int64Mode = "number"): CompiledStruct {
  return compileStruct(parseHeader(`struct s { ${text} };`).names.get("s")!, { int64 });
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** The message of what is thrown, which is of that class. */
export function thrown(type: typeof ValueError | typeof DecodeError, run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(type);
    return (error as Error).message;
  }
  return "nothing";
}
