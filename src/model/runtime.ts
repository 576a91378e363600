/** A JavaScript runtime: what runs the code that is measured. */
export interface RuntimeIdentity {
  /** Lower-case: `node`, `bun`, `deno`. */
  readonly name: string;
  readonly version: string;
  /** What compiles and collects: V8, or JavaScriptCore. */
  readonly engine: { readonly name: string; readonly version: string };
}

/** What Bun and Deno have besides Node's `process`, by which they are told from it: its versions are Node's there. */
interface Globals {
  readonly Bun?: { readonly version: string };
  readonly Deno?: { readonly version: { readonly deno: string; readonly v8: string } };
}

/** The runtime in which this is called. */
export function ownRuntime(): RuntimeIdentity {
  const { Bun: bun, Deno: deno } = globalThis as Globals;
  const { versions } = process;
  if (bun !== undefined) {
    // JavaScriptCore has no versions, only revisions of WebKit.
    const version = (versions["webkit"] ?? "unknown").slice(0, 12);
    return { name: "bun", version: bun.version, engine: { name: "JavaScriptCore", version } };
  }
  if (deno !== undefined) {
    return { name: "deno", version: deno.version.deno, engine: { name: "V8", version: deno.version.v8 } };
  }
  return { name: "node", version: versions.node, engine: { name: "V8", version: versions.v8 } };
}
