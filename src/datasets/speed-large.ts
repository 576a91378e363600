import { defineDataset } from "../model/dataset.ts";
import { seededRandom } from "../model/random.ts";
import type { Field, MessageType, Scalar } from "../model/schema.ts";
import { field, list, optional, schemaOf } from "../schema/declare.ts";

/** A field as nearly all are: one that a value may lack. */
function maybe(number: number, name: string, type: Scalar | MessageType): Field {
  return field(number, name, type, optional);
}

const rating: MessageType = {
  name: "speed_large.Rating",
  fields: [
    maybe(1, "taste", "float"),
    maybe(2, "price", "float"),
    maybe(3, "service", "float"),
    maybe(4, "hidden", "bool"),
    maybe(5, "edited", "bool"),
    maybe(6, "verified", "bool"),
    maybe(7, "recent", "bool"),
    maybe(8, "place", "float"),
    maybe(9, "paid", "bool"),
    maybe(10, "trend", "float"),
    maybe(11, "votes", "int64"),
  ],
};

const review: MessageType = {
  name: "speed_large.Review",
  fields: [
    maybe(1, "score", "float"),
    maybe(2, "weight", "float"),
    maybe(3, "text", "string"),
    maybe(4, "title", "string"),
    field(5, "answers", "string", list),
    maybe(6, "author", "uint64"),
    maybe(7, "age", "int32"),
    maybe(8, "language", "string"),
    maybe(9, "device", "int32"),
    maybe(10, "place", "string"),
    maybe(11, "signature", "string"),
    field(12, "labels", "string", list),
    field(13, "dishes", "int32", list),
    maybe(14, "reports", "int32"),
    maybe(16, "source", "string"),
    maybe(17, "rating", rating),
  ],
};

const guide: MessageType = {
  name: "speed_large.Guide",
  fields: [
    maybe(1, "name", "string"),
    maybe(2, "cover", "bytes"),
    maybe(3, "created_at", "int64"),
    maybe(4, "edition", "int64"),
    maybe(5, "printed_at", "int64"),
    maybe(6, "editor", "string"),
    field(10, "reviews", review, list),
    maybe(21, "seed", "int32"),
    maybe(25, "quality", "float"),
    maybe(63, "pages", "int32"),
    maybe(71, "region", "int32"),
    maybe(75, "draft", "bool"),
    maybe(109, "copies", "int32"),
    field(127, "topics", "string", list),
    field(128, "sources", "string", list),
    maybe(129, "volume", "int32"),
    field(130, "chapters", "int64", list),
    maybe(131, "checked_at", "int64"),
    maybe(205, "closed", "bool"),
    maybe(206, "public", "bool"),
    maybe(222, "discount", "float"),
  ],
};

const schema = schemaOf("speed_large", [guide, review, rating]);

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
