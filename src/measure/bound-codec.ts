import type { Binding, CodecVariant, Encoded } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import type { OperationContext } from "../model/operation.ts";
import type { Schema } from "../model/schema.ts";
import type { Value } from "../model/value.ts";
import { compileProbe, compileVisitor } from "../schema/generate/visit.ts";
import { carriedBy } from "../schema/values/documents.ts";
import { inputRing } from "../schema/values/input-ring.ts";
import { encodeValue } from "../schema/values/transcode.ts";

/** How a codec is bound. */
export interface BindOptions {
  /** Milliseconds of some clock, by which binding is timed. */
  readonly now?: () => number;
  /** Is called after each message of {@link BoundCodec.encoded}. */
  readonly onMessage?: () => void;
  /** Most values of the ring; all by default. */
  readonly most?: number;
}

type BoundOptions = BindOptions & { readonly bindMs: number };

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
  readonly canonical: readonly Value[];
  readonly probe: (value: Value) => number;
  readonly checksum: (value: Value) => number;
  /** Milliseconds of binding. */
  readonly bindMs: number;
  readonly #onMessage: () => void;
  #messages: Messages | undefined;

  private constructor(binding: Binding, carried: Dataset, dataset: Dataset, options: BoundOptions) {
    const { schema } = carried;
    this.binding = binding;
    this.schema = schema;
    this.values = inputRing(carried).slice(0, options.most);
    // The ring has the only value several times.
    this.canonical = this.values.map((_, index) => dataset.values[index % dataset.values.length]!);
    this.probe = compileProbe(schema);
    this.checksum = compileVisitor(schema, { long: "plain", text: binding.text });
    this.bindMs = options.bindMs;
    this.#onMessage = options.onMessage ?? (() => {});
  }

  /**
   * Binds a codec to a dataset, or to its documents. Throws UnsupportedError for what the codec says that it cannot carry,
   * and UsageError where there is no value.
   */
  static async of(
    codec: Pick<CodecVariant, "bind" | "schemaless">,
    dataset: Dataset,
    options: BindOptions = {},
  ): Promise<BoundCodec> {
    const carried = carriedBy(codec, dataset);
    const { now = () => 0 } = options;
    const from = now();
    const binding = await codec.bind(carried);
    return new BoundCodec(binding, carried, dataset, { ...options, bindMs: now() - from });
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
