import type { Message, Struct, StructCtor } from "capnp-ts";
import { DecodeError, ValueError } from "../../model/errors.ts";
import type { CapnpLibrary } from "./library.ts";

/** First buffer of a message whose size nothing is known of: what the library's own arena starts with. */
const FIRST_BYTES = 4096;

/**
 * Largest message that is built: the number of elements of a list has 29 bits (encoding specification, "Lists"),
 * and the libraries cut off, without a word, what is longer.
 */
const MAX_BYTES = 2 ** 29;

/** Makes messages to be filled, each with a first buffer of about the size of the message before it. */
export interface MessageMaker {
  /** An empty message. */
  make(): Message;
  /** Takes note of how large a message became. */
  note(message: Message): void;
}

/**
 * A maker of messages of one segment that doubles its buffer when that is full. The libraries' own arena adds 4096 bytes
 * each time and copies everything: a first message of 32 MB took 59 s to build, and takes 1.2 s so. Nor are the
 * pointers that are made on the way counted against the libraries' limit, which is there for readers.
 */
export function messageMaker({ name, arena, classes }: CapnpLibrary): MessageMaker {
  class GrowingMessage extends classes.Message {
    /** @param bytes size of the first buffer, a multiple of 8 */
    constructor(bytes: number) {
      super(arena(new ArrayBuffer(bytes)));
      // capnp-es takes all of a buffer that it is given for a message.
      this._capnp.segments.length = 0;
      this._capnp.traversalLimit = Number.POSITIVE_INFINITY;
    }

    override allocateSegment(byteLength: number): ReturnType<Message["allocateSegment"]> {
      const segment = this.getSegment(0);
      const needed = segment.byteLength + byteLength;
      if (needed > MAX_BYTES) {
        throw new ValueError(
          "",
          `message of over ${MAX_BYTES} bytes, the most that ${name} writes without loss`,
        );
      }
      const grown = new Uint8Array(toWords(Math.max(needed, 2 * segment.getCapacity())));
      grown.set(new Uint8Array(segment.buffer));
      segment.replaceBuffer(grown.buffer);
      return segment;
    }
  }

  let bytes = FIRST_BYTES;
  return {
    make: () => new GrowingMessage(bytes),
    note(message) {
      const { byteLength } = message.getSegment(0);
      // An eighth more, so that values of about the same size need not grow.
      bytes = toWords(byteLength + byteLength / 8);
    },
  };
}

/** Opens a message that is read. Bytes that do not fill their buffer are copied by the library. */
export function openMessage({ classes }: CapnpLibrary, bytes: Uint8Array, packed: boolean): Message {
  const whole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
  const message = new classes.Message(whole ? bytes.buffer : bytes, packed);
  // The library's own limit, 2^24 pointer objects, stops a list of a million records. Bytes from outside have
  // met the limits of the verifier.
  message._capnp.traversalLimit = Number.POSITIVE_INFINITY;
  return message;
}

/**
 * Calls `change` with the root of a message whose segment is the given bytes themselves, so that what it sets is
 * set in them. The library opens a framed message by copying its segments; one segment without a frame it takes as
 * it is, and all pointers are relative, so that the frame can be a part of the segment that nothing leads to.
 * Throws DecodeError for a message of several segments.
 */
export function changeInPlace(
  library: CapnpLibrary,
  bytes: Uint8Array,
  RootStruct: StructCtor<Struct>,
  change: (root: Struct) => void,
): void {
  const { buffer, byteOffset, byteLength } = bytes;
  if (buffer.byteLength % 8 !== 0) {
    // Not a segment; and the message is copied there and back.
    const copy = new Uint8Array(toWords(byteLength));
    copy.set(bytes);
    changeInPlace(library, copy, RootStruct, change);
    bytes.set(copy.subarray(0, byteLength));
    return;
  }
  if ((bytes[0]! | bytes[1]! | bytes[2]! | bytes[3]!) !== 0) {
    throw new DecodeError("capnp", "several segments, expected one to overwrite a number in", {
      code: "unsupported",
    });
  }
  const message = new library.classes.Message(buffer as ArrayBuffer, false, true);
  message._capnp.traversalLimit = Number.POSITIVE_INFINITY;
  change(new RootStruct(message.getSegment(0), byteOffset + FRAME_BYTES));
}

/** What stands before the only segment: the number of segments and its size. */
const FRAME_BYTES = 8;

function toWords(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
