import path from "node:path";
import { UsageError } from "../model/errors.ts";
import type { Schema } from "../model/schema.ts";
import { readHeader } from "../schema/read/header.ts";
import { readProto } from "../schema/read/proto.ts";

const READERS: Readonly<Record<string, (file: string, message?: string) => Schema>> = {
  ".proto": readProto,
  ".h": readHeader,
};

/**
 * Reads a schema from a .proto file or a C header.
 * @param message the message or struct that a value is; may be left out where the file leaves no choice
 */
export function loadSchema(file: string, message?: string): Schema {
  const reader = READERS[path.extname(file)];
  if (reader === undefined) {
    throw new UsageError(`${file}: expected a schema file that ends in ${Object.keys(READERS).join(" or ")}`);
  }
  return reader(file, message);
}
