/** protoc as a reference, one process for many messages: each is a field of one message that holds them all. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import protobuf from "protobufjs";

/** A message type with its schema file. */
export interface ProtocType {
  /** Text of a .proto file, with a package that no other has. */
  readonly proto: string;
  /** Full name of the message; may be left out where only the file is of interest. */
  readonly message?: string;
}

/** Message types that protoc compiles together. */
export class Protoc {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "wirebench-"));

  /** Throws what protoc says where it does not take a file. */
  constructor(types: readonly ProtocType[]) {
    types.forEach(({ proto }, i) => {
      writeFileSync(path.join(this.#folder, `t${i}.proto`), proto);
    });
    const imports = types.map((_, i) => `import "t${i}.proto";\n`);
    const fields = types.flatMap(({ message }, i) =>
      message === undefined ? [] : [`  optional .${message} f${i} = ${i + 1};\n`],
    );
    const text = `syntax = "proto2";\npackage all_of_them;\n${imports.join("")}message All {\n${fields.join("")}}\n`;
    writeFileSync(path.join(this.#folder, "all.proto"), text);
    this.#run(["--descriptor_set_out=/dev/null", "all.proto"], "");
  }

  /** The bytes of messages in text format; one for each type. */
  encode(texts: readonly string[]): Buffer[] {
    const text = texts.map((one, i) => `f${i} {\n${one}\n}\n`).join("");
    return split(
      this.#run(["--encode=all_of_them.All", "--deterministic_output", "all.proto"], text),
      texts.length,
    );
  }

  /** What protoc makes of the bytes when it has read and written them; one for each type. */
  recode(messages: readonly Uint8Array[]): Buffer[] {
    const text = this.#run(["--decode=all_of_them.All", "all.proto"], joined(messages));
    const bytes = this.#run(["--encode=all_of_them.All", "--deterministic_output", "all.proto"], text);
    return split(bytes, messages.length);
  }

  /** Removes its files. */
  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #run(args: readonly string[], input: string | Uint8Array): Buffer {
    const output = execFileSync("protoc", ["-I", this.#folder, ...args], {
      cwd: this.#folder,
      input,
      maxBuffer: 1 << 28,
      stdio: ["pipe", "pipe", "pipe"],
    });
    return output;
  }
}

function joined(messages: readonly Uint8Array[]): Uint8Array {
  const writer = protobuf.Writer.create();
  messages.forEach((bytes, i) => {
    writer.uint32(((i + 1) << 3) | 2).bytes(bytes);
  });
  return writer.finish();
}

function split(bytes: Uint8Array, count: number): Buffer[] {
  const reader = protobuf.Reader.create(bytes);
  const messages = Array.from({ length: count }, () => Buffer.alloc(0));
  while (reader.pos < reader.len) {
    const index = (reader.uint32() >>> 3) - 1;
    messages[index] = Buffer.from(reader.bytes());
  }
  return messages;
}
