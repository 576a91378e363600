import type { ByteOutput } from "../bytes/output.ts";
import { OP } from "./opcodes.ts";

/** Bytes after which a frame ends, and from which on a text or bytes stand outside of frames (`Lib/pickle.py`). */
export const FRAME_TARGET = 64 * 1024;
/** Fewer bytes than this go without a frame. */
const FRAME_LEAST = 4;
/** The opcode and the length. */
export const FRAME_HEAD = 9;

/** Writes the head of the frame that began at `start` and ends at `at`; returns where it ends then. */
export function endFrame(output: ByteOutput, start: number, at: number): number {
  const body = start + FRAME_HEAD;
  const size = at - body;
  if (size < FRAME_LEAST) {
    output.bytes.copyWithin(start, body, at);
    return at - FRAME_HEAD;
  }
  output.bytes[start] = OP.FRAME;
  output.view.setUint32(start + 1, size, true);
  output.view.setUint32(start + 5, 0, true);
  return at;
}
