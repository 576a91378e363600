/** Checks untrusted bytes against what `v8.serialize` makes of plain data, before `v8.deserialize` sees them. */
export { DecodeError } from "../../model/errors.ts";
export { type V8Options, verifyV8 } from "./verify.ts";
