import { types } from "node:util";
import { expectAttached } from "./attached.ts";
import { MARKER } from "./markers.ts";
import type { AmfOutput } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { Vector, type VectorItems } from "./vector.ts";
import { Xml } from "./xml.ts";

/** The marker of an object that holds no others; undefined for every other. */
export function leafMarkerOf(object: object): number | undefined {
  if (types.isUint8Array(object)) return MARKER.byteArray;
  if (types.isDate(object)) return MARKER.date;
  if (object instanceof Xml) return object.legacy ? MARKER.xmlDocument : MARKER.xml;
  if (!(object instanceof Vector)) return undefined;
  if (types.isInt32Array(object.items)) return MARKER.vectorInt;
  if (types.isUint32Array(object.items)) return MARKER.vectorUint;
  return types.isFloat64Array(object.items) ? MARKER.vectorDouble : undefined;
}

/** Writes such an object after its marker. */
export function writeLeaf(output: AmfOutput, object: object): void {
  if (types.isUint8Array(object)) {
    expectAttached(object);
    output.length(object.length, "bytes");
    output.bytes(object);
  } else if (types.isDate(object)) {
    const time = Date.prototype.getTime.call(object);
    if (Number.isNaN(time)) throw new Refusal("a Date without a time");
    output.byte(0x01);
    output.double(time);
  } else if (object instanceof Xml) {
    output.utf8(object.text);
  } else if (object instanceof Vector) {
    output.length(object.items.length, "a vector");
    output.byte(object.fixed ? 1 : 0);
    writeNumbers(output, object.items);
  }
}

function writeNumbers(output: AmfOutput, items: VectorItems): void {
  if (!Array.isArray(items)) expectAttached(items);
  if (types.isFloat64Array(items)) {
    for (const item of items) output.double(item);
  } else if (types.isInt32Array(items) || types.isUint32Array(items)) {
    const view = output.room(4 * items.length);
    // Modulo 2^32 both kinds have the same bytes.
    for (let i = 0; i < items.length; i++) view.setInt32(4 * i, items[i]!);
  }
}
