/** Which rows stand for the published systems. */
import { describe, expect, it } from "vitest";
import { nameIn, type Row } from "../../../src/analysis/claims/systems.ts";

const native = (codec: string): Row => ({ codec, program: "python/standard" });

describe("the originals of pickle and AMF3", () => {
  const three = [
    native("pickle:1 (CPython 3.11)"),
    native("struct (CPython 3.11)"),
    native("py3amf (Python 0.8)"),
  ];
  const two = [
    native("pickle:1 (CPython 2.7)"),
    native("struct (CPython 2.7)"),
    native("pyamf (Python 0.8)"),
  ];

  it("are those of Python 2.7 where PyAMF is there, whatever comes first", () => {
    for (const rows of [
      [...three, ...two],
      [...two, ...three],
    ])
      expect((["amf3", "pickle", "struct"] as const).map((system) => nameIn(rows, system, "native"))).toEqual(
        ["pyamf (Python 0.8)", "pickle:1 (CPython 2.7)", "struct (CPython 2.7)"],
      );
  });

  it("are those of Python 3 where Python 2.7 has no PyAMF", () => {
    const rows = [...three, ...two.slice(0, 2)];
    expect((["amf3", "pickle", "struct"] as const).map((system) => nameIn(rows, system, "native"))).toEqual([
      "py3amf (Python 0.8)",
      "pickle:1 (CPython 3.11)",
      "struct (CPython 3.11)",
    ]);
  });
});
