import { libraryOf, OWN_VERSION } from "../../catalog/library-version.ts";
import type { Registry } from "../../catalog/registry.ts";
import { BoundCodec } from "../../measure/bound-codec.ts";
import { provenBinding } from "../../measure/prove.ts";
import type { Binding, Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { UnsupportedError, VerificationError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import { encodeValue } from "../../schema/values/transcode.ts";
import { crc32, MAX_VALUES } from "../wire/frame.ts";

/** A codec on a dataset, as far as both sides know it. */
export interface Carrier {
  /** Distinct values, which messages go round. */
  readonly values: number;
  /** Mean and greatest size of their encodings, in bytes. */
  readonly meanBytes: number;
  readonly maxBytes: number;
  /** What each value is encoded to, and the CRC-32 of that. */
  readonly encoded: readonly Uint8Array[];
  readonly checksums: readonly number[];
}

/** The talker's side of a codec. */
export interface Encoder extends Carrier {
  encode(value: number): Uint8Array;
}

/** The listener's side of a codec. It holds none of the values: a program that receives has none either. */
export interface Decoder extends Carrier {
  /** Reads every field, and throws VerificationError unless all are those of the value. */
  read(value: number, bytes: Uint8Array): void;
}

/** Name and identity of the row that sends bytes made beforehand: what is left is the transport. */
export const READY_BYTES = "ready-bytes";

/** What a result says about a codec. */
export interface CarrierIdentity {
  readonly format: string;
  readonly library: string;
  readonly version: string;
  /** How the library was built, where the version does not say. */
  readonly build?: string;
  /** Of a native program: its name. */
  readonly program?: string;
}

/** Which library a codec of that name measures. Throws UsageError and PluginError. */
export async function identityOf(registry: Registry, name: string): Promise<CarrierIdentity> {
  if (name === READY_BYTES) return { format: "none", library: "wirebench", version: OWN_VERSION };
  const codec = await registry.codec(name);
  return { format: codec.format, ...libraryOf(codec), ...defined({ build: codec.build }) };
}

/**
 * Binds a codec for talking. Throws UnsupportedError where it says that it cannot carry the data.
 * @param prove whether to prove the round trip of every value first
 */
export async function encoderOf(
  registry: Registry,
  name: string,
  dataset: Dataset,
  prove: boolean,
): Promise<Encoder> {
  const { binding, values } = await bound(registry, name, dataset, prove);
  return encoderWith(name, binding, values);
}

/** Binds a codec for listening. Throws as {@link encoderOf} does. */
export async function decoderOf(
  registry: Registry,
  name: string,
  dataset: Dataset,
  prove: boolean,
): Promise<Decoder> {
  const { binding, checksum, values: all } = await bound(registry, name, dataset, prove);
  const { values, meanBytes, maxBytes, encoded, checksums } = encoderWith(name, binding, all);
  const carrier: Carrier = { values, meanBytes, maxBytes, encoded, checksums };
  if (name === READY_BYTES) return { ...carrier, read: () => {} };
  const sums = all.map(checksum);
  return { ...carrier, read: checkedRead(binding, typeof encodeValue(binding, all[0]!) === "string", sums) };
}

function encoderWith(name: string, binding: Binding, values: readonly Value[]): Encoder {
  const encode = (index: number): Uint8Array => asBytes(encodeValue(binding, values[index]!));
  if (name !== READY_BYTES) return { encode, ...carrierOf(values.length, encode) };
  const ring = readyRing(values.map((_, index) => encode(index)));
  return { encode: (index) => ring[index]!, ...carrierOf(ring.length, (index) => ring[index]!) };
}

async function bound(
  registry: Registry,
  name: string,
  dataset: Dataset,
  prove: boolean,
): Promise<BoundCodec> {
  const codec = await registry.codec(name === READY_BYTES ? "protobufjs" : name);
  const options = { most: MAX_VALUES };
  return prove ? provenBinding(codec, dataset, options) : BoundCodec.of(codec, dataset, options);
}

/** Reads bytes and compares with what a value's fields add up to. A codec that makes a text reads one. */
function checkedRead(binding: Binding, text: boolean, sums: readonly number[]): Decoder["read"] {
  const access = text
    ? (bytes: Uint8Array) =>
        binding.access(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"))
    : (bytes: Uint8Array) => binding.access(bytes);
  return (value, bytes) => {
    const sum = access(bytes);
    if (sum !== sums[value]) {
      throw new VerificationError(`value ${value}: expected the checksum ${sums[value]}, got ${sum}`);
    }
  };
}

/** Buffers that are sent in turn: more than one, or they would never leave the processor's caches. */
const READY = 4;

function readyRing(encoded: readonly Uint8Array[]): readonly Uint8Array[] {
  return Array.from({ length: Math.max(READY, encoded.length) }, (_, index) =>
    Uint8Array.from(encoded[index % encoded.length]!),
  );
}

function carrierOf(values: number, encode: (index: number) => Uint8Array): Carrier {
  const encoded = Array.from({ length: values }, (_, index) => encode(index));
  // A listener compares what arrives with what it encodes itself: to sum up each message would cost the talker time.
  if (encoded.some((bytes, index) => Buffer.compare(bytes, encode(index)) !== 0)) {
    throw new UnsupportedError(
      "it encodes one value in different ways, so that what arrives cannot be checked",
    );
  }
  const sizes = encoded.map((bytes) => bytes.length);
  return {
    values,
    encoded,
    checksums: encoded.map((bytes) => crc32(bytes)),
    meanBytes: sizes.reduce((sum, size) => sum + size, 0) / values,
    maxBytes: Math.max(...sizes),
  };
}

/** A text goes over a transport as UTF-8, which a codec that makes texts has to pay for. */
function asBytes(encoded: Encoded): Uint8Array {
  return typeof encoded === "string" ? Buffer.from(encoded, "utf8") : encoded;
}
