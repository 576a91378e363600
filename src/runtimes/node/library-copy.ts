import { register } from "node:module";
import { chosenCopy } from "../../catalog/library-version.ts";
import type { NamedCodec } from "../../catalog/registry.ts";
import type { LibraryCopy } from "../../model/codec.ts";
import { PluginError } from "../../model/errors.ts";
import { ownModule } from "../../model/package-files.ts";

/** What the thread for module hooks is given: the copy, and where to count. */
export interface LibraryHookData {
  readonly copy: LibraryCopy;
  /** One 32-bit number: imports that were led to the copy. */
  readonly redirected: SharedArrayBuffer;
}

/**
 * Makes this process load another copy of a library wherever its name is imported from now on. What was loaded before
 * stays; a codec's module must not have been.
 */
export function useLibrary(copy: LibraryCopy): UsedLibrary {
  const redirected = new SharedArrayBuffer(4);
  register(ownModule("runtimes/node/library-hooks"), {
    data: { copy, redirected } satisfies LibraryHookData,
  });
  return new UsedLibrary(copy, redirected);
}

/** Makes this process load the copy of a codec's library that a run would measure, unless the codec's file has imported it. Returns the codec. */
export function withChosenLibrary(codec: NamedCodec): NamedCodec {
  const copy = codec.load && chosenCopy(codec);
  if (copy !== undefined) useLibrary(copy);
  return codec;
}

/** A copy of a library that is to be loaded. */
export class UsedLibrary {
  readonly #copy: LibraryCopy;
  readonly #redirected: Int32Array;

  constructor(copy: LibraryCopy, redirected: SharedArrayBuffer) {
    this.#copy = copy;
    this.#redirected = new Int32Array(redirected);
  }

  /** Throws PluginError where nothing imported it: what is measured then is another copy. */
  expectLoaded(codec: string): void {
    if (Atomics.load(this.#redirected, 0) > 0) return;
    throw new PluginError(
      `${codec}: it does not load the copy of ${this.#copy.name}: expected an import of it, got none (require cannot be led to a copy)`,
    );
  }
}
