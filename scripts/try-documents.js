// Tries JSON documents: the schema that is inferred of each, through every codec, and printed in every language.
//
//   node scripts/try-documents.js FOLDER…      or files; needs a build
//
// A line for each document: what codecs refuse it and why. The printed schemas are given to protoc, flatc and capnp where they
// are installed, and the .proto is read back and must mean the same. Exits with 1 where something failed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { inferDataset } from "../dist/catalog/infer-dataset.js";
import { ownFiles } from "../dist/catalog/own-files.js";
import { Registry } from "../dist/catalog/registry.js";
import { provenBinding } from "../dist/measure/prove.js";
import { refusal } from "../dist/model/errors.js";
import { firstDifference } from "../dist/model/value.js";
import { emitAvro } from "../dist/schema/emit/avro.js";
import { emitCapnp } from "../dist/schema/emit/capnp.js";
import { emitFbs } from "../dist/schema/emit/fbs.js";
import { emitHeader } from "../dist/schema/emit/header.js";
import { emitJsonSchema } from "../dist/schema/emit/json-schema.js";
import { emitProto } from "../dist/schema/emit/proto.js";
import { readProto } from "../dist/schema/read/proto.js";
import { conform } from "../dist/schema/values/conform.js";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-documents-"));
const registry = await Registry.open();
const codecs = (await Promise.all(registry.names("codecs").map((name) => registry.variants(name)))).flat();
let failures = 0;

for (const file of ownFiles(process.argv.slice(2))) {
  const started = performance.now();
  const problems = [];
  try {
    const dataset = await inferDataset({ data: [file], sample: 16 });
    for (const codec of codecs) {
      try {
        await provenBinding(codec, dataset, { most: 2 });
      } catch (error) {
        const { status, reason } = refusal(error);
        if (status === "failed") failures += 1;
        problems.push(`${codec.name} ${status}: ${reason}`);
      }
    }
    tryPrinted(dataset, problems);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const { messages } = dataset.schema;
    console.log(
      `${path.basename(file)}: ${messages.size} messages, ${dataset.inferred.choices.length} choices, ${seconds} s`,
    );
  } catch (error) {
    failures += 1;
    problems.push(error.stack);
  }
  for (const problem of problems) console.log(`    ${problem.slice(0, 300)}`);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = failures > 0 ? 1 : 0;

/** Gives every printed schema to the tools of its language. */
function tryPrinted(dataset, problems) {
  const { schema } = dataset;
  const attempt = (what, work) => {
    try {
      work();
    } catch (error) {
      const { status, reason } = refusal(error);
      if (status === "failed") failures += 1;
      problems.push(`${what} ${status}: ${error.stderr?.toString().trim() || reason}`);
    }
  };
  attempt("proto", () => {
    const proto = printed("s.proto", emitProto(schema));
    execFileSync("protoc", [`--proto_path=${folder}`, `--descriptor_set_out=${folder}/s.pb`, proto], {
      stdio: "pipe",
    });
    const again = readProto(proto, schema.root);
    for (const [index, document] of dataset.documents.entries()) {
      const { value } = conform(again, document, { form: "json", int64: dataset.int64 });
      const difference = firstDifference(dataset.values[index], value);
      if (difference !== undefined) throw new Error(`read back it differs: ${difference}`);
    }
  });
  attempt("fbs", () => {
    const fbs = printed("s.fbs", emitFbs(schema));
    execFileSync("flatc", ["-b", "--schema", "-o", folder, fbs], { stdio: "pipe" });
  });
  attempt("capnp", () => {
    execFileSync("capnp", ["compile", "-o-", printed("s.capnp", emitCapnp(schema))], {
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 1 << 28,
    });
  });
  attempt("header", () => emitHeader(dataset));
  attempt("avro", () => JSON.parse(emitAvro(schema)));
  attempt("json-schema", () => JSON.parse(emitJsonSchema(schema, true)));
}

function printed(name, text) {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}
