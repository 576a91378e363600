import type { Binding, CodecVariant, Encoded } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import type { OperationContext } from "../model/operation.ts";
import type { Schema } from "../model/schema.ts";
import type { Value } from "../model/value.ts";
import { compileProbe, compileVisitor } from "../schema/generate/visit.ts";
import { encodeValue } from "../schema/values/transcode.ts";

/** Messages as a codec gave them, and copies of what they then held. */
interface Messages {
  readonly encoded: readonly Encoded[];
  readonly kept: readonly Encoded[];
}

/**
 * A codec bound to a dataset, of which nothing is proven yet. Nothing was called but `bind`: what a process calls before
 * it times decides what V8 makes of the code (measured: capnp-ts's encode takes a third more instructions once some
 * messages were decoded).
 */
export class BoundCodec implements OperationContext {
  readonly binding: Binding;
  readonly schema: Schema;
  readonly values: readonly Value[];
  readonly probe: (value: Value) => number;
  readonly checksum: (value: Value) => number;
  /** Milliseconds of binding. */
  readonly bindMs: number;
  readonly #onMessage: () => void;
  #messages: Messages | undefined;

  private constructor(
    binding: Binding,
    schema: Schema,
    values: readonly Value[],
    bindMs: number,
    onMessage: () => void,
  ) {
    this.binding = binding;
    this.schema = schema;
    this.values = values;
    this.probe = compileProbe(schema);
    this.checksum = compileVisitor(schema, { long: "plain", text: binding.text });
    this.bindMs = bindMs;
    this.#onMessage = onMessage;
  }

  /**
   * Binds a codec. Throws UnsupportedError for what the codec says that it cannot carry.
   * @param now milliseconds of some clock
   * @param onMessage is called after each message of {@link encoded}
   */
  static async of(
    codec: Pick<CodecVariant, "bind">,
    dataset: Dataset,
    values: readonly Value[],
    now: () => number,
    onMessage: () => void = () => {},
  ): Promise<BoundCodec> {
    const from = now();
    const binding = await codec.bind(dataset);
    return new BoundCodec(binding, dataset.schema, values, now() - from, onMessage);
  }

  get encoded(): readonly Encoded[] {
    return this.#made().encoded;
  }

  /** What {@link encoded} held when it was made. */
  get kept(): readonly Encoded[] {
    return this.#made().kept;
  }

  /** The values encoded once each, when they are first asked for. */
  #made(): Messages {
    if (this.#messages !== undefined) return this.#messages;
    const encoded: Encoded[] = [];
    const kept: Encoded[] = [];
    for (const value of this.values) {
      const message = encodeValue(this.binding, value);
      this.#onMessage();
      encoded.push(message);
      kept.push(typeof message === "string" ? message : new Uint8Array(message));
    }
    this.#messages = { encoded, kept };
    return this.#messages;
  }
}
