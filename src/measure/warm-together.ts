import { BoundCodec } from "./bound-codec.ts";
import type { Host } from "./host.ts";
import type { Job, JobListeners } from "./job.ts";
import { everySecond } from "./prove.ts";
import type { ReadyMember } from "./ready.ts";

/**
 * Times that each codec has its turn. A number of seconds would be 25 to 45 turns on a busy machine, and no server
 * (measured with 44 codecs and shapes, on a core: a turn takes 9.9 ms at first, 3.9 after 50 turns, 3.2 after 200, and 2.9
 * after 400).
 */
const TURNS = 300;

/** Milliseconds after which no further turn begins: large messages would otherwise take hours. */
const MOST_MS = 20_000;

/** Where results go, so that V8 cannot leave the work out. */
const sink: { value: unknown } = { value: undefined };

/**
 * Makes the process like a server that speaks every codec and has many shapes of messages: all members, and their
 * codecs on the job's other datasets, are called in turns until V8 has compiled their common code for all of them.
 */
export async function warmTogether(
  members: readonly ReadyMember[],
  { others, int64 }: Job,
  host: Host,
  onStep: JobListeners["onStep"],
): Promise<void> {
  const { now } = host.clock;
  const bindings: BoundCodec[] = members.map(({ bound }) => bound);
  for (const { codec, member } of oncePerCodec(members)) {
    for (const name of others) {
      try {
        const dataset = await host.dataset(name, member.source, int64);
        bindings.push(await BoundCodec.of(codec, dataset));
      } catch {
        // A shape that this codec cannot carry is left out.
      }
      onStep(`${codec.name} was tried on ${name}`);
    }
  }
  const until = now() + MOST_MS;
  const gotOn = everySecond(now, () => onStep("codecs ran in turns"));
  const working = new Set(bindings);
  for (let turn = 0; turn < TURNS && now() < until; turn++) {
    for (const binding of working) {
      try {
        call(binding, turn);
        gotOn();
      } catch {
        // A shape that this codec cannot carry. A member that fails does so again, and is reported, when it is proven.
        working.delete(binding);
      }
    }
  }
  onStep("all codecs had run in turns");
}

function call({ binding, values }: BoundCodec, turn: number): void {
  const encoded = binding.write(binding.build(values[turn % values.length]!));
  sink.value = encoded;
  sink.value = binding.plain(binding.read(encoded));
  sink.value = binding.access(encoded);
}

function oncePerCodec(members: readonly ReadyMember[]): readonly ReadyMember[] {
  return [...new Map(members.map((member) => [member.member.source.codec, member])).values()];
}
