/**
 * What protobuf's conformance suite asks: requests on standard input, answers on standard output, each after its length. All that it
 * was asked, and what it answered, is added to vectors.jsonl beside it. See README.md.
 */
import { openSync, readSync, writeSync } from "node:fs";
import path from "node:path";
import protobuf from "protobufjs";
import { answerer } from "./answer.js";

const folder = import.meta.dirname;
const root = protobuf.loadSync(path.join(process.argv[2], "conformance/conformance.proto"));
const Request = root.lookupType("conformance.ConformanceRequest");
const Response = root.lookupType("conformance.ConformanceResponse");

const answer = await answerer(path.join(folder, "../../../dist"), ".js");

const OUTPUTS = { 1: "protobuf", 2: "json", 4: "text" };
/** JSON whose unknown fields and names of enums are to be ignored, which wirebench refuses. */
const IGNORES_UNKNOWN = 3;
const vectors = openSync(path.join(folder, "vectors.jsonl"), "a");
const asked = new Set();

function respond(request) {
  const { messageType: message, payload, requestedOutputFormat, testCategory } = request;
  if (message === "conformance.FailureSet") return { protobufPayload: new Uint8Array(0) };
  const form = payload.replace("Payload", "");
  const output = OUTPUTS[requestedOutputFormat];
  if (form === "jspb" || output === undefined) return { skipped: "no such form" };
  if (form === "json" && testCategory === IGNORES_UNKNOWN) return { skipped: "what is unknown is refused" };
  const given = request[payload];
  const input = [form, form === "protobuf" ? Buffer.from(given).toString("hex") : given];
  const answered = answer(message, input, output);
  if (answered === undefined) return { skipped: "not tried" };
  const vector = JSON.stringify([message, input, output, answered]);
  if (!asked.has(vector)) writeSync(vectors, `${vector}\n`);
  asked.add(vector);
  if (answered === false) return { parseError: "refused" };
  if (answered === null) return { serializeError: "no such form" };
  return output === "json" ? { jsonPayload: answered } : { protobufPayload: Buffer.from(answered, "hex") };
}

/** Bytes of standard input; none at its end. */
function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = readSync(0, bytes, at, length - at, null);
    if (count === 0) return undefined;
    at += count;
  }
  return bytes;
}

for (let head = read(4); head !== undefined; head = read(4)) {
  const response = Response.encode(respond(Request.decode(read(head.readUInt32LE(0))))).finish();
  const length = Buffer.alloc(4);
  length.writeUInt32LE(response.length);
  const bytes = Buffer.concat([length, response]);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}
