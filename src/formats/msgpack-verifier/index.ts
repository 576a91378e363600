/** Checks untrusted bytes against the MessagePack specification, before any reader sees them. */
export { DecodeError } from "../../model/errors.ts";
export { type MessagePackOptions, verifyMessagePack } from "./verify.ts";
