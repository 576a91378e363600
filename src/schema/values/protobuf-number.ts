import type { ProtobufInput } from "../../formats/protobuf-verifier/input.ts";
import type { Scalar } from "../../model/schema.ts";

/**
 * The value of a number type in the bits that the input has just read, cut to its type as readers do ("Encoding" in the protobuf
 * documentation). Types of 64 bits are bigints.
 */
export function numberIn({ low, high }: ProtobufInput, scalar: Scalar): number | bigint | boolean {
  const bits = (): bigint => (BigInt(high) << 32n) | BigInt(low);
  switch (scalar) {
    case "bool":
      return (low | high) !== 0;
    case "uint8":
    case "uint16":
    case "uint32":
    case "fixed32":
      return low;
    case "sint32":
      return (low >>> 1) ^ -(low & 1);
    case "uint64":
    case "fixed64":
      return bits();
    case "sint64":
      return (bits() >> 1n) ^ -(bits() & 1n);
    case "int64":
    case "sfixed64":
      return BigInt.asIntN(64, bits());
    case "float":
    case "double":
      return floatOf(low, high, scalar);
    default:
      return low | 0;
  }
}

const scratch = new DataView(new ArrayBuffer(8));

function floatOf(low: number, high: number, scalar: "float" | "double"): number {
  scratch.setUint32(0, low, true);
  scratch.setUint32(4, high, true);
  return scalar === "float" ? scratch.getFloat32(0, true) : scratch.getFloat64(0, true);
}
