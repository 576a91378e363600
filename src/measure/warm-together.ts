import { inputRing, namedDataset } from "../catalog/dataset.ts";
import type { Binding, Encoded } from "../model/codec.ts";
import type { Value } from "../model/value.ts";
import type { Job, JobListeners } from "./job.ts";
import { provenBinding } from "./prove.ts";
import type { ReadyMember } from "./ready.ts";

/** Milliseconds for which everything runs mixed: many times what V8 needs to compile the hot parts for all of it. */
const MINGLED_MS = 1500;

/** Where results go, so that V8 cannot leave the work out. */
const sink: { value: unknown } = { value: undefined };

/** A codec on a dataset, ready to be called. */
interface Guest {
  readonly binding: Binding;
  readonly values: readonly Value[];
  readonly encoded: readonly Encoded[];
}

/**
 * Makes the process like a server that speaks every codec and has many shapes of messages: all members, and their
 * codecs on the job's other datasets, are called in turns until V8 has compiled their common code for all of them.
 */
export async function mingle(
  members: readonly ReadyMember[],
  { company, int64 }: Job,
  onStep: JobListeners["onStep"],
): Promise<void> {
  const guests: Guest[] = members.map(({ proven }) => proven);
  for (const { registry, member } of oncePerCodec(members)) {
    const codec = await registry.codec(member.source.codec);
    for (const name of company) {
      try {
        const dataset = await namedDataset(registry, name, int64);
        guests.push(await provenBinding(codec, dataset, inputRing(dataset)));
      } catch {
        // A shape that this codec cannot carry is no company.
      }
      onStep(`${codec.name} was tried on ${name}`);
    }
  }
  const until = performance.now() + MINGLED_MS;
  const working = new Set(guests);
  for (let turn = 0; performance.now() < until; turn++) {
    for (const guest of working) {
      try {
        call(guest, turn);
      } catch {
        // What it is that fails is told when it is timed.
        working.delete(guest);
      }
    }
  }
  onStep("all codecs had run in turns");
}

function call({ binding, values, encoded }: Guest, turn: number): void {
  const index = turn % values.length;
  sink.value = binding.write(binding.build(values[index]!));
  sink.value = binding.plain(binding.read(encoded[index]!));
  sink.value = binding.access(encoded[index]!);
}

function oncePerCodec(members: readonly ReadyMember[]): readonly ReadyMember[] {
  return [...new Map(members.map((member) => [member.member.source.codec, member])).values()];
}
