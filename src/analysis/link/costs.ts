import { expectBandwidth } from "../../model/bandwidth.ts";
import type { CompressionRecord, RunRecord } from "../../model/records/run.ts";
import { choicesOf, gateOf, type LinkChoice, totalNanos, transferNanos } from "./choices.ts";
import { timeDifference } from "./crossovers.ts";

/** The link of an answer where none is asked for, in bit/s: one on which size counts. */
export const DEFAULT_BANDWIDTH = 100e6;

/** What a choice takes on a link, in nanoseconds, transfer included. */
export interface Cost {
  readonly choice: LinkChoice;
  readonly nanos: number;
}

/** What all choices to send a message take on one link. */
export interface LinkCosts {
  readonly bitsPerSecond: number;
  /** In the order of `choicesOf`. */
  readonly costs: readonly Cost[];
  /** The best choice of each codec, in the same order. */
  readonly best: readonly Cost[];
  /** The best of all. */
  readonly winner: Cost;
  /** The other codecs whose best choice cannot be told from the winner. */
  readonly level: readonly string[];
}

/**
 * What each choice to send a dataset's message takes on links of these bandwidths, in bit/s: encoding, compressing,
 * transfer, inflating and decoding one after the other, without latency and framing. Of equally long ones the
 * lighter wins. Empty where the record knows of no choice. Throws UsageError for a bandwidth that is none.
 */
export function linkCosts(record: RunRecord, dataset: string, bandwidths: readonly number[]): LinkCosts[] {
  const choices = choicesOf(record, dataset);
  const gate = gateOf(record);
  return bandwidths.flatMap((bandwidth) => {
    const bitsPerSecond = expectBandwidth("bandwidth", bandwidth);
    const costs = choices.map((choice) => ({ choice, nanos: totalNanos(choice, bitsPerSecond) }));
    const best = bestOfEach(costs);
    const winner = least(best);
    if (winner === undefined) return [];
    const level = best
      .filter((cost) => cost !== winner && !certainlyLonger(cost.choice, winner.choice, bitsPerSecond, gate))
      .map(({ choice }) => choice.codec);
    return [{ bitsPerSecond, costs, best, winner, level }];
  });
}

/** How fast an algorithm was over the messages of all codecs together. */
export interface CompressionSpeed extends Pick<CompressionRecord, "algorithm" | "level"> {
  /** Bytes of these messages before and after. */
  readonly bytes: number;
  readonly compressedBytes: number;
  readonly compressNanos: number;
  readonly decompressNanos: number;
}

/** The compressors that a record has measured with a dataset's messages. */
export function compressionSpeeds(record: RunRecord, dataset: string): CompressionSpeed[] {
  const speeds = new Map<string, CompressionSpeed>();
  for (const entry of record.compression) {
    const payload = record.payloads.find(
      (one) => one.dataset === entry.dataset && one.codec === entry.codec && one.dataset === dataset,
    );
    if (payload === undefined) continue;
    const { algorithm, level } = entry;
    const sum = speeds.get(`${algorithm} ${level}`);
    speeds.set(`${algorithm} ${level}`, {
      algorithm,
      level,
      bytes: (sum?.bytes ?? 0) + payload.bytes,
      compressedBytes: (sum?.compressedBytes ?? 0) + entry.bytes,
      compressNanos: (sum?.compressNanos ?? 0) + entry.compressNanos,
      decompressNanos: (sum?.decompressNanos ?? 0) + entry.decompressNanos,
    });
  }
  return [...speeds.values()];
}

function bestOfEach(costs: readonly Cost[]): Cost[] {
  const codecs = [...new Set(costs.map(({ choice }) => choice.codec))];
  return codecs.flatMap((codec) => least(costs.filter(({ choice }) => choice.codec === codec)) ?? []);
}

function least(costs: readonly Cost[]): Cost | undefined {
  return costs.reduce<Cost | undefined>((best, cost) => {
    if (best === undefined || cost.nanos < best.nanos) return cost;
    return cost.nanos === best.nanos && cost.choice.bytes < best.choice.bytes ? cost : best;
  }, undefined);
}

function certainlyLonger(choice: LinkChoice, than: LinkChoice, bitsPerSecond: number, gate: number): boolean {
  const { ci95 } = timeDifference(choice, than, gate);
  return ci95 !== null && ci95[0] + transferNanos(choice.bytes - than.bytes, bitsPerSecond) > 0;
}
