import { OP } from "./opcodes.ts";
import { type Global, PickleWriter } from "./writer.ts";

/**
 * What older protocols have no opcode for: a call of a callable by its name (`save_bytes`, `save_set` and their like in
 * `Lib/pickle.py`).
 */
export class CallWriter extends PickleWriter {
  protected op(code: number, at: number): number {
    this.bytes[at] = code;
    return at + 1;
  }

  /** `bytes`; before protocol 3 as text of Latin-1 that is encoded. */
  protected bytesValue(value: Uint8Array, start: number): number {
    if (this.protocol >= 3) return this.data(OP.BINBYTES, value, start);
    if (value.length === 0) return this.emptyCall("bytes", start);
    const text = Buffer.from(value.buffer, value.byteOffset, value.length).toString("latin1");
    let at = this.beginCall("encode", start);
    // CPython makes the text for this; only texts of one character are shared.
    at = text.length === 1 ? this.text(text, at) : this.newText(text, at);
    return this.endCall(2, this.text("latin1", at));
  }

  /** `bytearray`; before protocol 5 from `bytes`. */
  protected byteArrayValue(value: Uint8Array, start: number): number {
    if (this.protocol >= 5) return this.data(OP.BYTEARRAY8, value, start);
    if (value.length === 0) return this.emptyCall("bytearray", start);
    const at = this.beginCall("bytearray", start);
    return this.endCall(1, this.put(this.bytesValue(value, this.room(at))));
  }

  protected emptyCall(name: Global, at: number): number {
    return this.op(OP.REDUCE, this.op(OP.EMPTY_TUPLE, this.global(name, at)));
  }

  protected beginCall(name: Global, start: number): number {
    const at = this.global(name, start);
    return this.protocol < 2 ? this.op(OP.MARK, at) : at;
  }

  /** The tuple of arguments, and the call. */
  protected endCall(count: 1 | 2, at: number): number {
    const tuple = this.op(this.protocol < 2 ? OP.TUPLE : OP.TUPLE1 + count - 1, at);
    return this.op(OP.REDUCE, this.put(tuple));
  }
}
