/** Checks untrusted bytes of a FlexBuffer, before any reader follows its offsets. */
export { DecodeError } from "../../model/errors.ts";
export { type FlexBufferLimits, verifyFlexBuffer } from "./verify.ts";
