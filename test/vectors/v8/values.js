// Plain data of every kind that v8.serialize is asked to carry. Imported by make.js and by the tests.
const shared = { a: 1 };
const holey = new Array(3);
for (let i = 0; i < 3; i++) holey[i] = i;
const boxed = [1.5, 2.5, "x"];
boxed.pop();

export const values = {
  null: null,
  true: true,
  false: false,
  zero: 0,
  "the greatest int32": 2 ** 31 - 1,
  "the least int32": -(2 ** 31),
  "2^31": 2 ** 31,
  "2^53 - 1": 2 ** 53 - 1,
  "-0": -0,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "a fraction": 0.1,
  "0n": 0n,
  "5n": 5n,
  "-5n": -5n,
  "2^64 - 1": 2n ** 64n - 1n,
  "-(2^63)": -(2n ** 63n),
  "empty text": "",
  "ASCII text": "name-0",
  "text in Latin-1": "é\u0000\u00ff",
  "text beyond Latin-1": "日本語 \u{1f600}",
  "long text": "a".repeat(300),
  "long text beyond Latin-1": `${"x".repeat(127)}日`,
  "an empty list": [],
  "a list of integers": [1, 2, 3],
  "a list of doubles": [0.5, 2, 3],
  "a list of boxed doubles": boxed,
  "a list of text": ["a", "日", "b", "日"],
  "a list that could have holes": holey,
  "a list of lists": [[], [[1]]],
  "an empty object": {},
  "an object": { id: 1, name: "name-1", tags: ["x"], inner: { on: true } },
  "an object with keys beyond Latin-1": { 日: 1, a: "日", é: 2 },
  "an object with indexes": { 5: 1, 1073741824: 2, 2147483648: 3, 4294967294: 4, 4294967295: 5, "-1": 6 },
  "an object with awkward keys": JSON.parse('{"__proto__": 1, "constructor": 2, "": 3, "toString": 4}'),
  "bytes in a Uint8Array": new Uint8Array([1, 2, 3]),
  "bytes in a Buffer": Buffer.from([4, 5]),
  "no bytes": new Uint8Array(0),
  "an object that is there twice": [shared, shared, { again: shared }],
  "bytes that are there twice": ((bytes) => [bytes, bytes])(new Uint8Array([7])),
};
