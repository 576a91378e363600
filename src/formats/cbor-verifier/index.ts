/** Checks untrusted bytes against the CBOR specification, before any reader sees them. */
export { DecodeError } from "../../model/errors.ts";
export { type CborOptions, verifyCbor } from "./verify.ts";
