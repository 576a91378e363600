/** Terms in forms that are read and not written, each with the form of OTP 25 in which it is written again. */
const NODE = "64 0003 614062";

const FORMS: readonly (readonly [name: string, bytes: string, canonical: string])[] = [
  ["SMALL_ATOM_EXT", "73 02 c3a9", "64 0002 c3a9"],
  ["SMALL_ATOM_UTF8_EXT", "77 02 c3a9", "64 0001 e9"],
  ["ATOM_UTF8_EXT", "76 0003 666f6f", "64 0003 666f6f"],
  ["ATOM_UTF8_EXT, beyond Latin-1", "76 0003 e697a5", "77 03 e697a5"],
  [
    "FLOAT_EXT",
    `63 ${Buffer.from("-1.50000000000000000000e+02").toString("hex")} 00000000`,
    "46 c062c00000000000",
  ],
  ["PID_EXT", `67 ${NODE} 00000026 00000001 03`, `58 ${NODE} 00000026 00000001 00000003`],
  ["PORT_EXT", `66 ${NODE} 00000026 03`, `59 ${NODE} 00000026 00000003`],
  ["V4_PORT_EXT, small", `78 ${NODE} 0000000000000026 00000003`, `59 ${NODE} 00000026 00000003`],
  ["V4_PORT_EXT", `78 ${NODE} 0000000100000026 00000003`, `78 ${NODE} 0000000100000026 00000003`],
  ["REFERENCE_EXT", `65 ${NODE} 00000026 03`, `5a 0001 ${NODE} 00000003 00000026`],
  ["NEW_REFERENCE_EXT", `72 0002 ${NODE} 03 00000026 00000027`, `5a 0002 ${NODE} 00000003 00000026 00000027`],
  ["LARGE_TUPLE_EXT, small", "69 00000001 61 01", "68 01 61 01"],
  ["LARGE_BIG_EXT, small", "6f 00000001 00 05", "61 05"],
  ["SMALL_BIG_EXT, small", "6e 01 01 05", "62 fffffffb"],
  ["SMALL_BIG_EXT, zero", "6e 02 01 0000", "61 00"],
  ["SMALL_BIG_EXT, longer than it need be", "6e 0a 00 ffffffffffffffff0000", "6e 08 00 ffffffffffffffff"],
  ["INTEGER_EXT, small", "62 00000005", "61 05"],
  ["LIST_EXT of bytes", "6c 00000002 61 01 61 02 6a", "6b 0002 0102"],
  ["LIST_EXT with a list as its tail", "6c 00000001 61 01 6b 0002 0203", "6b 0003 010203"],
  ["LIST_EXT with two lists as its tail", "6c 00000001 61 01 6c 00000001 61 02 6b 0001 03", "6b 0003 010203"],
  ["LIST_EXT of none with a tail", "6c 00000000 61 01", "61 01"],
  ["STRING_EXT of none", "6b 0000", "6a"],
  ["BIT_BINARY_EXT, whole", "4d 00000002 08 0102", "6d 00000002 0102"],
  ["BIT_BINARY_EXT, empty", "4d 00000000 00", "6d 00000000"],
  ["BIT_BINARY_EXT with bits beyond its end", "4d 00000001 03 bf", "4d 00000001 03 a0"],
  ["MAP_EXT in another order", "74 00000002 61 02 61 00 61 01 61 00", "74 00000002 61 01 61 00 61 02 61 00"],
];

/** The forms as whole messages. */
export const OLD_FORMS = FORMS.map(([name, bytes, canonical]) => ({
  name,
  bytes: fromHex(`83 ${bytes}`),
  canonical: fromHex(`83 ${canonical}`),
}));

/** Bytes of a text of hex with spaces. */
export function fromHex(text: string): Buffer {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}
