// How fast is erlang-etf beside Erlang itself, and beside npm's other codecs? Each has a process of its own, and they
// take turns, round by round: on an address book, on one whose people lack one key each, and on the garden.
//
//   node benchmarks/erlang-etf.js [ROUNDS]
//
// It compares with Erlang/OTP, erlpack and etf.js:  node benchmarks/install.js  installs them.
import { execFileSync, fork, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { termToBinary } from "wirebench/erlang-etf";
import garden from "../dist/datasets/garden.js";
import { INSTALL, needs, RIVALS_FOLDER } from "./support/rivals.js";
import { verdict } from "./support/verdict.js";

/** Most times Erlang's own time: of a process that has met no other messages, and of one that has met all. */
const MOST_ALONE = 1;
const MOST_AFTER_OTHERS = 1.15;
/** The same on the garden. */
const MOST_ON_GARDEN = 1;

/** Least times the speed of the rivals. */
const LEAST_OF_RIVALS = 2;

const ALONE = "wirebench alone";
const OPERATIONS = ["encode", "decode", "encode-garden", "decode-garden", "encode-mixed", "decode-mixed"];
const CALLS = 2000;
const WARM_UP = 20;

if (process.argv[2] === "contestant") await contestant(process.argv[3]);
else await main(Number(process.argv[2] ?? 60));

async function main(rounds) {
  needs("erlc", "-v");
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-erl-"));
  const contestants = [
    await erlang(folder),
    await ours("wirebench"),
    await ours("wirebench", { alone: true }),
    await ours("erlpack"),
    await ours("etf.js"),
  ];
  const present = contestants.filter((one) => one !== undefined);
  for (const { name, size } of present) console.log(`${name}: ${size} bytes`);
  const times = new Map(
    present.flatMap(({ name }) => OPERATIONS.map((operation) => [`${name} ${operation}`, []])),
  );
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const operation of OPERATIONS) {
      for (const { name, time, alone } of present) {
        if (alone && operation.includes("-")) continue;
        const nanos = await time(operation);
        if (round >= 0) times.get(`${name} ${operation}`).push(nanos);
      }
    }
  }
  for (const { close } of present) close();
  rmSync(folder, { recursive: true });
  for (const operation of OPERATIONS)
    report(operation, (name) => median(times.get(`${name} ${operation}`)), present);
}

function report(operation, timeOf, contestants) {
  const isMixed = operation.endsWith("-mixed");
  const compare = (mine, name, bound) => {
    const [own, other] = [timeOf(mine), timeOf(name)];
    const ratio = bound.most === undefined ? other / own : own / other;
    const times = bound.most === undefined ? "as fast" : "of its time";
    const line = `${operation}: ${mine} ${own.toFixed(0)} ns, ${name} ${other.toFixed(0)} ns, ${ratio.toFixed(2)} × ${times}`;
    if (isMixed) console.log(`        ${line}`);
    else verdict(line, ratio, bound);
  };
  const isBook = !operation.includes("-");
  if (isBook) compare(ALONE, "Erlang", { most: MOST_ALONE });
  compare("wirebench", "Erlang", { most: isBook ? MOST_AFTER_OTHERS : MOST_ON_GARDEN });
  for (const { name, isRival } of contestants) {
    if (isRival) compare("wirebench", name, { least: LEAST_OF_RIVALS });
  }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

async function erlang(folder) {
  const source = path.join(import.meta.dirname, "reference/erlang_etf.erl");
  execFileSync("erlc", ["-o", folder, source], { stdio: "inherit" });
  const child = spawn("erl", ["-noshell", "-pa", folder, "-s", "erlang_etf", "main"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (line) => {
    child.stdin.write(`${line}\n`);
    return Number((await lines.next()).value);
  };
  await ask(Buffer.from(termToBinary(garden.make(1, 0))).toString("hex"));
  const size = await ask("size");
  return {
    name: "Erlang",
    size,
    time: (operation) => ask(`${operation} ${CALLS}`),
    close: () => child.stdin.end(),
  };
}

/** A codec of npm in a process of its own, `alone` with one kind of message; undefined where it is not installed. */
async function ours(name, { alone = false } = {}) {
  const child = fork(import.meta.filename, ["contestant", name]);
  const answer = () => new Promise((resolve) => child.once("message", resolve));
  const { size, missing } = await answer();
  if (missing !== undefined) {
    console.log(`${name}: not installed (${missing}): ${INSTALL}`);
    return undefined;
  }
  const time = async (operation) => {
    child.send(operation);
    return answer();
  };
  const isRival = name !== "wirebench";
  return { name: alone ? ALONE : name, alone, isRival, size, time, close: () => child.disconnect() };
}

/** What a contestant's process does: it times rounds when it is asked to. */
async function contestant(name) {
  let codec;
  try {
    codec = await load(name);
  } catch (error) {
    process.send({ missing: error.message.split("\n")[0] });
    return;
  }
  const { encode, decode } = codec;
  const values = {
    encode: Array.from({ length: 4 }, (_, i) => book(i)),
    "encode-garden": Array.from({ length: 4 }, () => garden.make(1, 0)),
    "encode-mixed": Array.from({ length: 4 }, (_, i) => mixed(i)),
  };
  const bytes = { decode: values.encode.map((value) => encode(value)) };
  // What is never asked for is never met.
  const ringOf = (operation) => {
    if (operation.startsWith("encode")) return values[operation];
    bytes[operation] ??= values[operation.replace("decode", "encode")].map((value) => encode(value));
    return bytes[operation];
  };
  process.on("message", (operation) => {
    const call = operation.startsWith("encode") ? encode : decode;
    const ring = ringOf(operation);
    let last;
    const from = process.hrtime.bigint();
    for (let i = 0; i < CALLS; i++) last = call(ring[i & 3]);
    const nanos = Number(process.hrtime.bigint() - from) / CALLS;
    process.send(last === undefined ? Number.NaN : nanos);
  });
  process.send({ size: bytes.decode[0].length });
}

async function load(name) {
  if (name === "wirebench") {
    const { TermDecoder, TermEncoder } = await import("wirebench/erlang-etf");
    const [encoder, decoder] = [new TermEncoder(), new TermDecoder()];
    return { encode: (value) => encoder.encode(value), decode: (bytes) => decoder.decode(bytes) };
  }
  const rival = createRequire(path.join(RIVALS_FOLDER, "package.json"))(name);
  return { encode: rival.pack, decode: rival.unpack };
}

function book(index) {
  return { info: Array.from({ length: 37 }, (_, i) => person(i, (i + index) % 37)) };
}

function person(i, other) {
  return { id: i, name: `name-${i}`, age: 20 + other, gender: i % 3, phone_num: 13_800_000_000 + other };
}

/** Each person without one of its fields, or with one more. */
function mixed(index) {
  const keys = ["id", "name", "age", "gender", "phone_num"];
  const { info } = book(index);
  return {
    info: info.map((one, i) => {
      const without = Object.entries(one).filter(([key]) => key !== keys[i % 6]);
      return Object.fromEntries(i % 6 === 5 ? [...without, ["extra", true]] : without);
    }),
  };
}
