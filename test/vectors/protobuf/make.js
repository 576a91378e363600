// Makes vectors.json: what protoc encodes from each text. Run as `node make.js`, with protoc 3.21 on the path.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const folder = new URL(".", import.meta.url).pathname;
const file = new URL("vectors.json", import.meta.url);

const vectors = JSON.parse(readFileSync(file, "utf8")).map((vector) => {
  const [pkg] = vector.message.split(".");
  const args = ["-I", folder, `--encode=${vector.message}`, `${pkg}.proto`];
  return { ...vector, hex: execFileSync("protoc", args, { input: vector.text }).toString("hex") };
});
writeFileSync(file, `[\n${vectors.map((vector) => `  ${JSON.stringify(vector)}`).join(",\n")}\n]\n`);
