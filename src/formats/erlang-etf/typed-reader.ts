import { copyBytes } from "../bytes/copy.ts";
import { readMap } from "./read-map.ts";
import { TermReader } from "./reader.ts";
import { Atom, Float } from "./terms.ts";

/** Reads terms as what they are: nothing that Erlang tells apart becomes one value. */
export class TypedReader extends TermReader {
  protected override atom(name: string): Atom {
    return new Atom(name);
  }

  protected override float(value: number): Float {
    return new Float(value);
  }

  protected override binary(length: number): Uint8Array {
    const { at } = this;
    this.at = at + length;
    this.spend(length);
    return copyBytes(this.bytes, at, at + length);
  }

  protected override map(pairs: number, depth: number): Map<unknown, unknown> {
    return readMap(this, pairs, depth);
  }
}
