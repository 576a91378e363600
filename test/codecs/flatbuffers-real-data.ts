import { readFileSync } from "node:fs";
import protobuf from "protobufjs";
import type { Dataset } from "../../src/model/dataset.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { realData } from "../real-data.ts";

/** A real message, decoded by protobufjs: `google_message1.dat` is a `Message1`. */
export function realDataset(number: 1 | 2): Dataset {
  const proto = realData("messages.proto");
  const name = `Message${number}`;
  const schema = readProto(proto, name);
  const root = new protobuf.Root().loadSync(proto, { keepCase: true });
  const type = root.lookupType(schema.root);
  const message = type.decode(readFileSync(realData(`google_message${number}.dat`)));
  const plain = type.toObject(message, { longs: BigInt });
  const { value, int64 } = conform(schema, plain, { form: "plain", int64: "auto" });
  return { name, schema, values: [value], int64 };
}
