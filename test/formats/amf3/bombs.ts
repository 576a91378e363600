/** Bytes of 64 KB that are made to cost time or memory, and what is to come of them. */
const SIZE = 65_536;

interface Bomb {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly expected: "accepted" | "truncated" | "limit";
}

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}

function u29(value: number): Buffer {
  const bytes = [((value >> 22) & 0x7f) | 0x80, ((value >> 15) & 0x7f) | 0x80, ((value >> 8) & 0x7f) | 0x80];
  return Buffer.from([...bytes, value & 0xff]);
}

/** A head, and a body as often as it fits. */
function filled(head: string, body: string): Buffer {
  const [start, unit] = [hex(head), hex(body)];
  return Buffer.concat([start, ...Array<Buffer>(Math.floor((SIZE - start.length) / unit.length)).fill(unit)]);
}

/** A list of a first element, and of others as often as they fit. */
function list(element: string, first = ""): Buffer {
  return listOf(hex(first), (room) =>
    Array<Buffer>(Math.floor(room / (hex(element).length || 1))).fill(hex(element)),
  );
}

function listOf(first: Buffer, others: (room: number) => readonly Buffer[]): Buffer {
  const rest = others(SIZE - 6 - first.length);
  const length = rest.length + (first.length > 0 ? 1 : 0);
  return Buffer.concat([hex("09"), u29((length << 1) | 1), hex("01"), first, ...rest]);
}

/** A name of four letters, another for each number. */
function name(i: number): Buffer {
  return Buffer.from([0x09, ...[12, 8, 4, 0].map((shift) => 0x61 + ((i >> shift) & 15))]);
}

function numbered(count: number, make: (i: number) => Buffer): Buffer[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

/** Lists of two references to the list before, so that 2^n paths lead to the first. */
function laughs(): Buffer {
  return listOf(hex("090101"), () =>
    numbered(9000, (i) => Buffer.concat([hex("090501 09"), ref(i), hex("09"), ref(i)])),
  );
}

/** A reference to the element before: the list is object 0. */
function ref(i: number): Buffer {
  return u29((i + 1) << 1).subarray(0, 4);
}

export const bombs: readonly Bomb[] = [
  { name: "empty lists", bytes: list("090101"), expected: "accepted" },
  { name: "empty objects", bytes: list("0a0101", "0a0b0101"), expected: "accepted" },
  { name: "empty objects without dynamic members", bytes: list("0a01", "0a0301"), expected: "accepted" },
  { name: "empty dictionaries", bytes: list("110100"), expected: "accepted" },
  { name: "empty weak dictionaries", bytes: list("110101"), expected: "accepted" },
  { name: "empty byte arrays", bytes: list("0c01"), expected: "accepted" },
  { name: "byte arrays of one byte", bytes: list("0c03ff"), expected: "accepted" },
  { name: "byte arrays of 65 bytes", bytes: list(`0c8103 ${"ff".repeat(65)}`), expected: "accepted" },
  { name: "empty vectors of int", bytes: list("0d0100"), expected: "accepted" },
  { name: "empty vectors of objects", bytes: list("10010001"), expected: "accepted" },
  { name: "vectors of one double", bytes: list("0f0300 3fe0000000000000"), expected: "accepted" },
  { name: "empty XML", bytes: list("0b01"), expected: "accepted" },
  { name: "dates", bytes: list("08010000000000000000"), expected: "accepted" },
  { name: "arrays with one name", bytes: list("0901 00 01 01", "0603 61"), expected: "accepted" },
  { name: "doubles", bytes: list("053fe0000000000001"), expected: "accepted" },
  { name: "objects of one class", bytes: list("0a01", "0a03 03 61"), expected: "accepted" },
  { name: "a class for each object", bytes: list("0a03 00", "0603 61"), expected: "accepted" },
  {
    name: "objects with one large index each",
    bytes: list("0a010001 01", "0a0b01 07393030 01 01"),
    expected: "accepted",
  },
  {
    name: "lists with one large index each",
    bytes: list("09010001 01", "0901 07393030 01 01"),
    expected: "accepted",
  },
  {
    name: "an object with very many names",
    bytes: Buffer.concat([
      hex("0a0b01"),
      ...numbered(10_900, (i) => Buffer.concat([name(i), hex("01")])),
      hex("01"),
    ]),
    expected: "accepted",
  },
  {
    name: "objects with a name of their own each",
    bytes: listOf(hex("0a0b0101"), () =>
      numbered(7000, (i) => Buffer.concat([hex("0a01"), name(i), hex("0101")])),
    ),
    expected: "accepted",
  },
  {
    name: "traits with very many sealed members",
    bytes: Buffer.concat([
      hex("0a"),
      u29((10_000 << 4) | 3),
      hex("01"),
      ...numbered(10_000, name),
      Buffer.alloc(10_000, 0x01),
    ]),
    expected: "accepted",
  },
  {
    name: "a string that is there very often",
    bytes: list("0600", `06${"8101"}${"61".repeat(64)}`),
    expected: "accepted",
  },
  { name: "references to one list", bytes: list("0902", "090101"), expected: "accepted" },
  { name: "references that stand for 2^9000 lists", bytes: laughs(), expected: "accepted" },
  { name: "one list in another", bytes: filled("", "090301"), expected: "limit" },
  { name: "one object in another", bytes: filled("0a0b01", "0361 0a01"), expected: "limit" },
  { name: "one dictionary in another", bytes: filled("", "110300"), expected: "limit" },
  { name: "one vector in another", bytes: filled("", "10030001"), expected: "limit" },
  { name: "lists that say they are long", bytes: filled("", "09ffffffff01"), expected: "truncated" },
  { name: "vectors that say they are long", bytes: filled("", "0dffffffff00"), expected: "truncated" },
  { name: "dictionaries that say they are long", bytes: filled("", "11ffffffff00"), expected: "truncated" },
  {
    name: "traits that say they have many members",
    bytes: filled("", "0afffffff301"),
    expected: "truncated",
  },
  { name: "one long list in another", bytes: filled("", "0983ff7f01"), expected: "limit" },
];
