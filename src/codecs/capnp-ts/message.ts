import { Message } from "capnp-ts";
import { SingleSegmentArena } from "capnp-ts/src/serialization/arena/index.js";
import { ValueError } from "../../model/errors.ts";

/** First buffer of a message whose size nothing is known of: what the library's own arena starts with. */
const FIRST_BYTES = 4096;

/**
 * Largest message that is built: the number of elements of a list has 29 bits (encoding specification, "Lists"),
 * and the library cuts off, without a word, what is longer.
 */
const MAX_BYTES = 2 ** 29;

/**
 * A message of one segment that doubles its buffer when that is full. The library's own arena adds 4096 bytes
 * each time and copies everything: a first message of 32 MB took 59 s to build, and takes 1.2 s so. Nor are the
 * pointers that are made on the way counted against the library's limit, which is there for readers.
 */
class GrowingMessage extends Message {
  /** @param bytes size of the first buffer, a multiple of 8 */
  constructor(bytes: number) {
    super(new SingleSegmentArena(new ArrayBuffer(bytes)));
    this._capnp.traversalLimit = Number.POSITIVE_INFINITY;
  }

  override allocateSegment(byteLength: number): ReturnType<Message["allocateSegment"]> {
    const segment = this.getSegment(0);
    const needed = segment.byteLength + byteLength;
    if (needed > MAX_BYTES) {
      throw new ValueError(
        "",
        `message of over ${MAX_BYTES} bytes, the most that capnp-ts writes without loss`,
      );
    }
    const grown = new Uint8Array(toWords(Math.max(needed, 2 * segment.getCapacity())));
    grown.set(new Uint8Array(segment.buffer));
    segment.replaceBuffer(grown.buffer);
    return segment;
  }
}

/** Makes messages to be filled, each with a first buffer of about the size of the message before it. */
export class MessageMaker {
  #bytes = FIRST_BYTES;

  /** An empty message. */
  make(): Message {
    return new GrowingMessage(this.#bytes);
  }

  /** Takes note of how large a message became. */
  note(message: Message): void {
    const { byteLength } = message.getSegment(0);
    // An eighth more, so that values of about the same size need not grow.
    this.#bytes = toWords(byteLength + byteLength / 8);
  }
}

/** Opens a message that is read. Bytes that do not fill their buffer are copied by the library. */
export function openMessage(bytes: Uint8Array, packed: boolean): Message {
  const whole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
  const message = new Message(whole ? bytes.buffer : bytes, packed);
  // The library's own limit, 2^24 pointer objects, stops a list of a million records. Bytes from outside have
  // met the limits of the verifier.
  message._capnp.traversalLimit = Number.POSITIVE_INFINITY;
  return message;
}

function toWords(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
