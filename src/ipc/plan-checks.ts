/** What a selection may not be, told before anything is measured. Each throws UsageError. */
import { UsageError } from "../model/errors.ts";
import { expectName, expectNumber } from "../model/expect-option.ts";
import { show } from "../model/value.ts";
import type { PlannedDataset } from "./planned-dataset.ts";
import type { TransportDefinition } from "./transport.ts";

/** A transport and what follows its name. */
export function expectAddress(
  { name, address, shown }: { readonly name: string; readonly address: string; readonly shown: string },
  takes: TransportDefinition["takes"],
): void {
  if (takes === undefined && shown !== name) {
    throw new UsageError(`transport "${shown}": expected ${name} alone: nothing follows its name`);
  }
  if (takes?.required === true && address.replace(/^\w+:\/*/, "") === "") {
    throw new UsageError(`transport "${shown}": expected ${takes.what}, as ${takes.example}`);
  }
}

/** What each number may be. */
const BOUNDS = {
  messages: { integer: true, least: 1, most: 200_000 },
  rateHz: { integer: false, least: 0.001, most: 1_000_000 },
  depth: { integer: true, least: 1, most: 1000 },
  listenerDelayMs: { integer: false, least: 0, most: 60_000 },
  timeoutSeconds: { integer: false, least: 0.1, most: 86_400 },
} as const;

/** A pace at which nothing would happen for longer than a test may be silent is refused. */
export function expectPace(name: string, seconds: number, timeoutSeconds: number): void {
  if (seconds < timeoutSeconds) return;
  throw new UsageError(
    `${name}: a message would take ${seconds} s, expected less than the timeout of ${timeoutSeconds} s`,
  );
}

/** Bytes that messages on their way may take together. */
const MAX_WAITING_BYTES = 2e9;

export function expectRoom(messages: number, { name, payloadBytes }: PlannedDataset): void {
  const bytes = messages * payloadBytes;
  if (bytes <= MAX_WAITING_BYTES) return;
  throw new UsageError(
    `depth: ${messages} messages of "${name}" on their way would take ${bytes} bytes, expected at most ${MAX_WAITING_BYTES}`,
  );
}

/** Numbers within their bounds, and lists that are lists: a program may pass anything. */
export function expectSelection(selection: Readonly<Record<string, unknown>>): void {
  for (const list of ["tests", "codecs", "datasets", "payloads", "plugins"] as const) {
    const value: unknown = selection[list];
    if (value === undefined && list !== "tests") continue;
    if (!Array.isArray(value)) throw new UsageError(`${list}: expected a list, got ${show(value)}`);
    if (value.length === 0 && list !== "plugins")
      throw new UsageError(`${list}: expected at least one, got none`);
  }
  const { transport } = selection;
  if (transport !== undefined && typeof transport !== "string") {
    throw new UsageError(`transport: expected its name, got ${show(transport)}`);
  }
  const { reliability } = selection;
  if (reliability !== undefined)
    expectName("reliability", String(reliability), { reliable: true, "best-effort": true });
  for (const [option, bounds] of Object.entries(BOUNDS)) {
    const value = selection[option];
    if (value !== undefined) expectNumber(option, value as number, bounds);
  }
}
