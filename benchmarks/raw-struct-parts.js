// Where does the raw struct's encode spend its time, and why is that several times what C takes? The parts of it, each written
// by hand for the address book without the codec's checks, in turns in one process: the least of 60 rounds.
//
//   node benchmarks/raw-struct-parts.js

import { namedDataset } from "../dist/catalog/dataset.js";
import { Registry } from "../dist/catalog/registry.js";
import { BoundCodec } from "../dist/measure/bound-codec.js";

const registry = await Registry.open();
const bound = await BoundCodec.of(
  await registry.codec("raw-struct"),
  await namedDataset(registry, "tellist"),
);
const { binding, values } = bound;

/** A function that takes bytes as the codec does, and does this with each person `e` at `p`. */
function writer(each) {
  return new Function(`
let buffer = new ArrayBuffer(0), b, v, next = 0;
return function pack({ info }) {
  const size = 8 + 48 * info.length;
  if (next + size > buffer.byteLength) {
    buffer = new ArrayBuffer(65536);
    b = new Uint8Array(buffer);
    v = new DataView(buffer);
    next = 0;
  }
  const start = next;
  next = (start + size + 7) & ~7;
  ${each === undefined ? "" : `for (let i = 0, p = start + 8; i < info.length; i++, p += 48) { const e = info[i]; ${each} }`}
  return new Uint8Array(buffer, start, size);
};`)();
}

const numbers = `v.setUint32(p, e.id, true); v.setUint8(p + 4, e.age); v.setUint8(p + 5, e.gender);
  v.setUint32(p + 8, e.phone_num >>> 0, true); v.setInt32(p + 12, (e.phone_num - (e.phone_num >>> 0)) / 4294967296, true);`;
const read =
  "const t = e.name; let s = 0; for (let j = 0; j < t.length; j++) s |= t.charCodeAt(j); if (s > 127) throw s;";
const write = "const t = e.name; for (let j = 0; j < t.length; j++) b[p + 16 + j] = t.charCodeAt(j);";

const steps = {
  "bytes: a shared buffer and a view of it": writer(),
  "and the numbers": writer(numbers),
  "and reading the names": writer(`${numbers} ${read}`),
  "and writing them": writer(`${numbers} ${write}`),
  "the codec, with its checks": (value) => binding.write(value),
};

const least = new Map();
let sink;
for (let round = 0; round < 60; round++) {
  for (const [name, pack] of Object.entries(steps)) {
    const from = performance.now();
    for (let i = 0; i < 4000; i++) sink = pack(values[i % values.length]);
    const nanos = ((performance.now() - from) / 4000) * 1e6;
    least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, nanos));
  }
}
const characters = values.flatMap(({ info }) => info).reduce((sum, { name }) => sum + name.length, 0);
console.log(`${sink.length} bytes, ${Math.round(characters / values.length)} characters of names`);
for (const [name, nanos] of least) console.log(`${nanos.toFixed(0).padStart(6)} ns  ${name}`);
