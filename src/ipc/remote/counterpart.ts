import { namedDataset } from "../../catalog/dataset.ts";
import { datasetHash } from "../../catalog/dataset-hash.ts";
import { OWN_VERSION } from "../../catalog/library-version.ts";
import { type Registry, splitName } from "../../catalog/registry.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UsageError } from "../../model/errors.ts";
import { identityOf, type Reader, readerOf } from "../participants/carrier.ts";
import type { Hello } from "./messages.ts";

/** What a listener has bound to understand a talker. */
export interface Counterpart {
  readonly carrier: Reader;
  readonly library: string;
  readonly libraryVersion: string;
}

/**
 * Binds the codec and the dataset that a talker names, and makes sure that they are the talker's. Throws WirebenchError
 * for what is not here or is something else here.
 * @param own the data that the listener was given, for a talker with data of its user's
 * @param maxPayload bytes of the longest message that the server takes
 */
export async function counterpartOf(
  registry: Registry,
  hello: Hello,
  own: Dataset | undefined,
  maxPayload: number,
): Promise<Counterpart> {
  const { library, version: libraryVersion } = await identityOf(registry, hello.codec);
  const dataset = await datasetOf(registry, hello, own, maxPayload);
  if (datasetHash(dataset) !== hello.dataset.sha256) {
    throw new UsageError(`dataset "${hello.dataset.name}": its values here are not the talker's`);
  }
  const carrier = await readerOf(registry, hello.codec, dataset, true);
  const { checksums } = hello;
  if (checksums.length !== carrier.values || checksums.some((sum, i) => sum !== carrier.checksums[i])) {
    throw new UsageError(
      `${hello.codec}: it encodes the talker's values in another way here, with ${library} ${libraryVersion}: ` +
        `the talker has ${hello.library} ${hello.libraryVersion}, or another schema`,
    );
  }
  return { carrier, library, libraryVersion };
}

/** In what talker and listener differ although they understand each other. */
export function differences(
  theirs: { readonly version: string; readonly library: string; readonly libraryVersion: string },
  library: string,
  libraryVersion: string,
): string[] {
  const wirebench =
    theirs.version === OWN_VERSION ? [] : [`wirebench ${theirs.version}, here ${OWN_VERSION}`];
  const same = theirs.library === library && theirs.libraryVersion === libraryVersion;
  return same
    ? wirebench
    : [...wirebench, `${theirs.library} ${theirs.libraryVersion}, here ${library} ${libraryVersion}`];
}

async function datasetOf(
  registry: Registry,
  { dataset: { name, own: isOwn, int64 } }: Hello,
  own: Dataset | undefined,
  maxPayload: number,
): Promise<Dataset> {
  if (isOwn) {
    if (own !== undefined) return own;
    throw new UsageError(
      `dataset "${name}" is the talker's own: start the listener with the same --schema and --data`,
    );
  }
  // A size is a number of things that take a byte each at least, and making them takes memory.
  const [, size] = splitName(name);
  if (Number(size) > maxPayload)
    throw new UsageError(`dataset "${name}": the server takes no message so long`);
  return namedDataset(registry, name, int64);
}
