/**
 * Erlang's external term format: what `term_to_binary` writes and `binary_to_term` reads, byte for byte.
 *
 *     import { Atom, binaryToTerm, termToBinary, Tuple } from "wirebench/erlang-etf";
 *
 *     const bytes = termToBinary(new Tuple([new Atom("ok"), { name: "a", ids: [1, 2n ** 64n] }]));
 *     binaryToTerm(bytes); // Tuple { elements: [Atom { name: "ok" }, { ids: [1, 18446744073709551616n], name: "a" }] }
 *     binaryToTerm(bytes, { terms: "typed" }); // the same without loss: Maps, Floats, bytes of binaries
 *     termToBinary({ text: "a".repeat(1000) }, { compressed: 6 }); // 41 bytes
 *
 * Bytes may come from anywhere: what is not a term, or is larger than the limits, is a DecodeError.
 */
export { binaryToTerm, TermDecoder } from "./decode.ts";
export { TermEncoder, termToBinary } from "./encode.ts";
export { type DecodeOptions, type EncodeOptions, MOST_DEPTH } from "./options.ts";
export {
  Atom,
  BitBinary,
  Export,
  Float,
  Fun,
  ImproperList,
  OldFun,
  Pid,
  Port,
  Reference,
  Tuple,
} from "./terms.ts";
