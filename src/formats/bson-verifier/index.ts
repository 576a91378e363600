/** Checks untrusted bytes against the BSON specification, before any reader sees them. */
export { DecodeError } from "../../model/errors.ts";
export { type BsonOptions, verifyBson } from "./verify.ts";
