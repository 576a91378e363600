import { copyBytes } from "../bytes/copy.ts";
import type { AmfInput } from "./input.ts";
import { MARKER } from "./markers.ts";
import { Vector, type VectorItems } from "./vector.ts";
import { Xml } from "./xml.ts";

/** Milliseconds from the epoch to the first and last instant of a Date (ECMAScript, "Time Values and Time Range"). */
const MAX_TIME = 8.64e15;

/** Reads an object that holds no others, after its marker and its length, in bytes or in numbers. */
export function readLeaf(input: AmfInput, marker: number, length: number): unknown {
  switch (marker) {
    case MARKER.date:
      return readDate(input);
    case MARKER.byteArray: {
      const start = input.at;
      input.at += input.expectCount(length, 1);
      return copyBytes(input.bytes, start, input.at);
    }
    case MARKER.xml:
    case MARKER.xmlDocument:
      return new Xml(input.utf8(length), { legacy: marker === MARKER.xmlDocument });
    default: {
      const fixed = input.flag("the flag for a fixed length");
      return new Vector(readNumbers(input, marker, length), { fixed });
    }
  }
}

function readDate(input: AmfInput): Date {
  const at = input.at;
  const time = Math.round(input.double());
  if (!(Math.abs(time) <= MAX_TIME)) input.fail(`${time} ms from the epoch is no date`, { at });
  return new Date(time);
}

function readNumbers(input: AmfInput, marker: number, length: number): VectorItems {
  const { view, at } = input;
  if (marker === MARKER.vectorDouble) {
    input.at += 8 * input.expectCount(length, 8);
    return Float64Array.from({ length }, (_, i) => view.getFloat64(at + 8 * i));
  }
  input.at += 4 * input.expectCount(length, 4);
  return marker === MARKER.vectorInt
    ? Int32Array.from({ length }, (_, i) => view.getInt32(at + 4 * i))
    : Uint32Array.from({ length }, (_, i) => view.getUint32(at + 4 * i));
}
