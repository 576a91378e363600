/**
 * AMF3, the Action Message Format of Flash, Flex and PyAMF: values to bytes and back, with references, cycles,
 * classes and traits.
 *
 *     import { decode, type ExternalInput, encode, Traits, TypedObject } from "wirebench/amf3";
 *
 *     const bytes = encode({ name: "小明", seen: new Date(0), scores: [1, 0.5] });
 *     decode(bytes); // { name: "小明", seen: 1970-01-01T00:00:00.000Z, scores: [1, 0.5] }
 *
 *     const user = new Traits("org.acme.User", ["name"]);
 *     decode(encode(new TypedObject(user, { name: "a" }))); // TypedObject { traits, members: { name: "a" } }
 *
 * Bytes may come from anywhere: nothing in them is executed, fetched or parsed as XML, and an object that writes
 * itself is refused unless its class has a reader:
 *
 *     const collection = (input: ExternalInput) => input.readObject();
 *     decode(bytes, { external: new Map([["flex.messaging.io.ArrayCollection", collection]]) });
 *
 * The format is that of Adobe's "Action Message Format -- AMF 3", January 2013.
 */
export { type DecodeOptions, decode } from "./decode.ts";
export { type EncodeOptions, encode } from "./encode.ts";
export {
  type ExternalInput,
  Externalizable,
  type ExternalOutput,
  type ExternalReader,
} from "./external.ts";
export {
  EcmaArray,
  Traits,
  TypedObject,
  Vector,
  type VectorItems,
  WeakDictionary,
  Xml,
} from "./types.ts";
