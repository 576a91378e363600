import { register } from "node:module";
import {
  type ChosenLibrary,
  chosenCopy,
  chosenLibrary,
  type LibraryIdentity,
  libraryOf,
  projectCopies,
} from "../../catalog/library-version.ts";
import type { NamedCodec, Registry } from "../../catalog/registry.ts";
import { type LibraryCopy, untriedReason } from "../../model/codec.ts";
import { PluginError, refusal, VerificationError, WirebenchError } from "../../model/errors.ts";
import { ownModule } from "../../model/package-files.ts";
import { ownRuntime } from "../../model/runtime.ts";

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

/** Other runtimes have no hooks, or others. */
const LEADS_IMPORTS = ownRuntime().name === "node";

/** The library that {@link withChosenLibrary} has for a codec. Throws PluginError. */
export function libraryHere(codec: NamedCodec): LibraryIdentity {
  return LEADS_IMPORTS ? chosenLibrary(codec) : libraryOf(codec);
}

/** The project's copies of wirebench's own libraries, once this process was led to them. */
let led: readonly { readonly copy: LibraryCopy; readonly used: UsedLibrary }[] | undefined;

/**
 * Does some work with a codec in this process, whose library is the copy that a run would measure. No codec may have been loaded
 * before, but by this. Throws PluginError, with the version that was tried, for what such a copy is at fault for.
 * @param onUntried is called where that copy is not of the version that the codec was tried with
 */
export async function withChosenLibrary<T>(
  registry: Registry,
  name: string,
  onUntried: (library: ChosenLibrary & { readonly tried: string }) => void,
  work: (codec: NamedCodec) => Promise<T>,
): Promise<T> {
  // The file of a codec may import its library by itself.
  led ??= (LEADS_IMPORTS ? projectCopies() : []).map((copy) => ({ copy, used: useLibrary(copy) }));
  let copy: LibraryCopy | undefined;
  try {
    const codec = await registry.codec(name);
    copy = LEADS_IMPORTS ? chosenCopy(codec) : undefined;
    if (copy !== undefined && codec.load !== undefined) useLibrary(copy);
    if (copy?.untried !== undefined) onUntried({ library: copy.name, copy, ...copy.untried });
    return await work(codec);
  } catch (error) {
    const blamed = copy ?? led.find(({ used }) => used.isLoaded())?.copy;
    const isOfCodec = error instanceof PluginError || error instanceof VerificationError;
    if (blamed?.untried === undefined || (error instanceof WirebenchError && !isOfCodec)) throw error;
    throw new PluginError(`${name}: ${untriedReason(blamed, refusal(error).reason)}`, { cause: error });
  }
}

/** A copy of a library that is to be loaded. */
export class UsedLibrary {
  readonly #copy: LibraryCopy;
  readonly #redirected: Int32Array;

  constructor(copy: LibraryCopy, redirected: SharedArrayBuffer) {
    this.#copy = copy;
    this.#redirected = new Int32Array(redirected);
  }

  /** Whether something imported it. */
  isLoaded(): boolean {
    return Atomics.load(this.#redirected, 0) > 0;
  }

  /** Throws PluginError where nothing imported it: what is measured then is another copy. */
  expectLoaded(codec: string): void {
    if (this.isLoaded()) return;
    throw new PluginError(
      `${codec}: it does not load the copy of ${this.#copy.name}: expected an import of it, got none (require cannot be led to a copy)`,
    );
  }
}
