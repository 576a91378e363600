/** What a machine is, as far as times depend on it. */
import { createHash } from "node:crypto";
import os from "node:os";
import { OWN_VERSION } from "../catalog/library-version.ts";
import { environment } from "../suite/environment.ts";
import type { Plan } from "../suite/plan.ts";
import { type Lane, lineOf, type Machine } from "./messages.ts";

/** This machine, for a run. */
export function ownMachine(plan: Plan | undefined): Machine {
  const { cpu, os: system, runtime } = environment();
  return {
    host: lineOf(os.hostname()),
    cpu: lineOf(cpu.model),
    platform: `${system.platform} ${system.arch}`,
    runtime: `${runtime.name} ${runtime.version}`,
    engine: `${runtime.engine.name} ${runtime.engine.version}`,
    version: OWN_VERSION,
    libraries: plan === undefined ? [] : librariesOf(plan),
  };
}

/** The libraries that a run measures, with their versions: but for the runtime's own, which have its version. */
export function librariesOf({ pairs, runtimes }: Plan): string[] {
  const names = new Set(runtimes.map(({ identity }) => identity.name));
  const measured = pairs.filter(({ identity }) => !names.has(identity.library));
  return [...new Set(measured.map(({ identity }) => lineOf(libraryText(identity))))].sort();
}

function libraryText({ library, version, build }: Plan["pairs"][number]["identity"]): string {
  return `${library} ${version}${build === undefined ? "" : ` (${build})`}`;
}

/** Machines with one fingerprint share a lane: their blocks are those of one machine. */
export function laneOf({ host: _, ...fingerprint }: Machine): Lane {
  const facts = Object.entries(fingerprint).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 32);
}

/** A machine in words. */
export function machineText({ cpu, platform, runtime }: Machine): string {
  return `${cpu}, ${platform}, ${runtime}`;
}
