import type { Binding, CodecVariant, Encoded } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { VerificationError } from "../model/errors.ts";
import type { DecodingThread, OperationContext } from "../model/operation.ts";
import type { Schema } from "../model/schema.ts";
import { show, type Value } from "../model/value.ts";
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
  /** As {@link OperationContext.thread}. */
  readonly thread?: () => DecodingThread;
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
  readonly thread?: () => DecodingThread;
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
    if (options.thread !== undefined) this.thread = options.thread;
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
    const binding: unknown = await codec.bind(carried);
    expectBinding(binding);
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
      const message: unknown = encodeValue(this.binding, value);
      expectEncoded(message);
      this.#onMessage();
      encoded.push(message);
      kept.push(typeof message === "string" ? message : new Uint8Array(message));
    }
    this.#messages = { encoded, kept };
    return this.#messages;
  }
}

/** Steps that a binding has, whoever wrote it. */
const STEPS = ["build", "write", "read", "plain", "access", "verify"] as const;

/** Throws VerificationError for what is no binding: a plugin may return anything. */
function expectBinding(binding: unknown): asserts binding is Binding {
  const steps = typeof binding === "object" && binding !== null ? (binding as Record<string, unknown>) : {};
  const missing = STEPS.filter((step) => typeof steps[step] !== "function");
  if (missing.length === 0) return;
  throw new VerificationError(
    missing.length === STEPS.length
      ? `bind: expected a binding, as direct() or mapped() makes it, got ${show(binding)}`
      : `bind: expected a binding with the functions ${missing.join(", ")}, got one without`,
  );
}

/** Throws VerificationError for what is no message. */
function expectEncoded(message: unknown): asserts message is Encoded {
  if (typeof message === "string" || message instanceof Uint8Array) return;
  const promised =
    message instanceof Promise ? ": calls are timed one after the other, and none may be async" : "";
  throw new VerificationError(
    `write: expected bytes (a Uint8Array) or a string, got ${show(message)}${promised}`,
  );
}
