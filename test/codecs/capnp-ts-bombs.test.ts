import { describe, expect, it } from "vitest";
import { library } from "../../src/codecs/capnp-ts.ts";
import type { Binding } from "../../src/model/codec.ts";
import { openMessage } from "../../src/schema/capnp/message.ts";
import { framed, listPointer, SIZE, structPointer } from "../formats/capnp-verifier/words.ts";
import { bindings, dataset, EMPTY, field, list, message, optional, scalar } from "./capnp-ts-fixture.ts";

describe("few bytes that stand for a large value", () => {
  const carried = dataset([
    {
      name: "M",
      fields: [
        field("texts", scalar("string"), list),
        field("bools", scalar("bool"), list),
        field("many", message("M"), list),
        field("empties", message("Empty"), list),
      ],
    },
    EMPTY,
  ]);
  const root = structPointer(0, 0, 4);
  const zeros = (count: number): bigint[] => Array<bigint>(count).fill(0n);
  /** Pointers to one and the same object after the last of them. */
  const shared = (count: number, pointer: (offset: number) => bigint): bigint[] =>
    Array.from({ length: count }, (_, i) => pointer(count - 1 - i));

  const messages = {
    "a text that many pointers share": framed([
      ...[root, listPointer(3, SIZE.pointers, 4000), 0n, 0n, 0n],
      ...shared(4000, (offset) => listPointer(offset, SIZE.bytes, 4001)),
      ...zeros(501),
    ]),
    "a list of bools that many structs share": framed([
      ...[root, 0n, 0n, listPointer(1, SIZE.structs, 8000), 0n, structPointer(2000, 0, 4)],
      ...Array.from({ length: 2000 }, (_, i) => [
        0n,
        listPointer(4 * (1999 - i) + 2, SIZE.bits, 64_000),
        0n,
        0n,
      ]).flat(),
      ...zeros(1000),
    ]),
    "millions of structs without content": framed([
      ...[root, 0n, 0n, 0n, listPointer(0, SIZE.structs, 0), structPointer(8_000_000, 0, 0)],
    ]),
  };

  it.each(Object.entries(messages))("are refused: %s", (_, bytes) => {
    expect(bytes.length).toBeLessThan(80_000);
    expect(refusal(bindings.plain(carried), bytes)).toMatchObject({ code: "limit" });
  });

  it.each([
    ["zero bytes of text", field("x", scalar("string"), optional), listPointer(0, SIZE.bytes, 800_000)],
    ["zero bits", field("x", scalar("bool"), list), listPointer(0, SIZE.bits, 6_400_000)],
  ])("are refused when packed: %s", (_, only, pointer) => {
    const message = openMessage(library, framed([structPointer(0, 0, 1), pointer, ...zeros(100_000)]), false);
    const packed = new Uint8Array(message.toPackedArrayBuffer());
    expect(packed.length).toBeLessThan(1000);
    const binding = bindings.packed(dataset([{ name: "M", fields: [only] }]));
    expect(refusal(binding, packed)).toMatchObject({ code: "limit" });
  });

  it("are refused when packed beyond measure", () => {
    const message = openMessage(library, framed([0n, ...zeros(2_000_000)]), false);
    const packed = new Uint8Array(message.toPackedArrayBuffer());
    expect(refusal(bindings.packed(carried), packed)).toMatchObject({
      code: "limit",
      message: expect.stringContaining("capnp: unpacks to 16000016 bytes, expected at most"),
    });
  });
});

function refusal(binding: Binding, bytes: Uint8Array): unknown {
  try {
    binding.verify(bytes);
    return undefined;
  } catch (error) {
    return error;
  }
}
