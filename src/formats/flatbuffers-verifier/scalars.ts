/** Bytes of each scalar type, which are its alignment too. */
export const SCALAR_SIZES = {
  bool: 1,
  byte: 1,
  ubyte: 1,
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  long: 8,
  ulong: 8,
  float: 4,
  double: 8,
} as const;

/** FlatBuffers' scalar types. */
export type ScalarName = keyof typeof SCALAR_SIZES;

/** Reads an integer or a bool. The place must be within the view. */
export function readInteger(view: DataView, place: number, scalar: ScalarName): number | bigint {
  switch (scalar) {
    case "byte":
      return view.getInt8(place);
    case "bool":
    case "ubyte":
      return view.getUint8(place);
    case "short":
      return view.getInt16(place, true);
    case "ushort":
      return view.getUint16(place, true);
    case "int":
      return view.getInt32(place, true);
    case "uint":
      return view.getUint32(place, true);
    case "long":
      return view.getBigInt64(place, true);
    case "ulong":
      return view.getBigUint64(place, true);
    default:
      throw new Error(`a ${scalar} is no integer`);
  }
}
