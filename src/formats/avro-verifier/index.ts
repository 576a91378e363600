/** Checks untrusted bytes against an Avro schema, before any reader sees them. */
export { DecodeError } from "../../model/errors.ts";
export { type AvroShape, avroShape } from "./shape.ts";
export { type AvroOptions, verifyAvro } from "./verify.ts";
