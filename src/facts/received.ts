/** A dataset on the other side of Node's channel between processes. */
import type { Dataset } from "../model/dataset.ts";
import { isRecord, type Value } from "../model/value.ts";

/**
 * A dataset that came through the channel, with its bytes in memory of their own, as a program has them. There they are views
 * on the whole message, which some libraries write with them: devalue 6.0.3 and flexbuffers.
 */
export function received(dataset: Dataset): Dataset {
  return { ...dataset, values: dataset.values.map(withOwnBytes) };
}

function withOwnBytes(value: Value): Value {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return (value as Value[]).map(withOwnBytes);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withOwnBytes(held)]));
}
