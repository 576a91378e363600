import { defineDataset } from "../model/dataset.ts";
import { seededRandom } from "../model/random.ts";
import type { Field, FieldType, MessageType, Repetition, Scalar, Schema } from "../model/schema.ts";

const OPTIONAL = { kind: "one", presence: "optional" } as const;
const LIST = { kind: "list", packed: false } as const;

function field(
  number: number,
  name: string,
  type: Scalar | FieldType,
  repetition: Repetition = OPTIONAL,
): Field {
  return {
    name,
    number,
    type: typeof type === "string" ? { kind: "scalar", scalar: type } : type,
    repetition,
  };
}

const rating: MessageType = {
  name: "speed_large.Rating",
  fields: [
    field(1, "taste", "float"),
    field(2, "price", "float"),
    field(3, "service", "float"),
    field(4, "hidden", "bool"),
    field(5, "edited", "bool"),
    field(6, "verified", "bool"),
    field(7, "recent", "bool"),
    field(8, "place", "float"),
    field(9, "paid", "bool"),
    field(10, "trend", "float"),
    field(11, "votes", "int64"),
  ],
};

const review: MessageType = {
  name: "speed_large.Review",
  fields: [
    field(1, "score", "float"),
    field(2, "weight", "float"),
    field(3, "text", "string"),
    field(4, "title", "string"),
    field(5, "answers", "string", LIST),
    field(6, "author", "uint64"),
    field(7, "age", "int32"),
    field(8, "language", "string"),
    field(9, "device", "int32"),
    field(10, "place", "string"),
    field(11, "signature", "string"),
    field(12, "labels", "string", LIST),
    field(13, "dishes", "int32", LIST),
    field(14, "reports", "int32"),
    field(16, "source", "string"),
    field(17, "rating", { kind: "message", name: rating.name }),
  ],
};

const guide: MessageType = {
  name: "speed_large.Guide",
  fields: [
    field(1, "name", "string"),
    field(2, "cover", "bytes"),
    field(3, "created_at", "int64"),
    field(4, "edition", "int64"),
    field(5, "printed_at", "int64"),
    field(6, "editor", "string"),
    field(10, "reviews", { kind: "message", name: review.name }, LIST),
    field(21, "seed", "int32"),
    field(25, "quality", "float"),
    field(63, "pages", "int32"),
    field(71, "region", "int32"),
    field(75, "draft", "bool"),
    field(109, "copies", "int32"),
    field(127, "topics", "string", LIST),
    field(128, "sources", "string", LIST),
    field(129, "volume", "int32"),
    field(130, "chapters", "int64", LIST),
    field(131, "checked_at", "int64"),
    field(205, "closed", "bool"),
    field(206, "public", "bool"),
    field(222, "discount", "float"),
  ],
};

const schema: Schema = {
  package: "speed_large",
  root: guide.name,
  messages: new Map([guide, review, rating].map((message) => [message.name, message])),
  enums: new Map(),
};

/** Reviews in the standard size. */
const REVIEWS = 1000;

/** Bytes of the picture: what is left of protobuf's 84,584 bytes. */
const COVER = 1748;

/**
 * A message of the shape of the large one of protobuf's benchmark: a thousand messages, each with numbers, a text of
 * 16 to 172 characters and a message of its own, and a picture. As there, protobuf takes 84,584 bytes. Each of the
 * thousand is an ordinary message; there, they are a group.
 */
export default defineDataset({
  story: "A guide of the shape of protobuf's large benchmark message: a thousand reviews, each with a text.",
  schema,
  size: { unit: "reviews", standard: REVIEWS, max: 1_000_000 },
  // The same reviews in another order.
  make: (size, index) => {
    const reviews = Array.from({ length: size }, (_, i) => reviewOf((i + index) % size));
    return {
      cover: Uint8Array.from({ length: COVER }, (_, i) => (i * i * 31 + 7 * i) & 0xff),
      created_at: 171_960_447n,
      edition: 70_757n,
      reviews,
      seed: 1_750_986_070,
      quality: 0.375,
      region: 1_432_182_957,
      topics: [],
      sources: [],
      volume: 45,
      chapters: [],
      closed: false,
      public: true,
    };
  },
});

function reviewOf(i: number) {
  const random = seededRandom(i);
  const eighths = (): number => Math.floor(random() * 256) / 256;
  return {
    score: eighths(),
    text: textOf(random),
    answers: [],
    // The highest bit is set: ten bytes as a varint, nine as a number of MessagePack.
    author: 0x8000_0000_0000_0000n | (BigInt(Math.floor(random() * 2 ** 31)) << 32n) | BigInt(i),
    age: 5 + Math.floor(random() * 90),
    labels: [],
    dishes: i % 37 === 0 ? [1 + (i % 100)] : [],
    rating: {
      taste: eighths(),
      ...(i % 2 === 0 ? { service: eighths() } : {}),
      ...(i % 3 === 0 ? { recent: i % 2 === 0 } : {}),
      ...(i % 4 < 2 ? { place: eighths() } : {}),
    },
  };
}

const WORDS =
  "the soup was warm and bread fresh we waited an hour for wine but music good garden view of sea".split(" ");

/** Longest and shortest text, in ASCII characters. Most are short. */
const [SHORTEST, LONGEST] = [16, 172];

function textOf(random: () => number): string {
  const length = SHORTEST + Math.floor((LONGEST + 1 - SHORTEST) * random() ** 4);
  let text = "";
  while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return text.slice(0, length);
}
