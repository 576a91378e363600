/** Makes vectors.json: the bytes that protoc encodes each text to, null for one that it refuses. See README.md. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const folder = import.meta.dirname;
const texts = JSON.parse(readFileSync(path.join(folder, "texts.json"), "utf8"));
const vectors = Object.entries(texts).flatMap(([message, list]) =>
  list.map((text) => {
    const args = [`-I${folder}`, `-I${folder}/../protobuf-json`, `--encode=${message}`, "--deterministic_output", `${message.split(".")[0]}.proto`];
    const { status, stdout } = spawnSync("protoc", args, { input: text });
    return { message, text, hex: status === 0 ? stdout.toString("hex") : null };
  }),
);
const lines = vectors.map((vector) => JSON.stringify(vector));
writeFileSync(path.join(folder, "vectors.json"), `[\n${lines.join(",\n")}\n]\n`);
