import type { NamedCodec, Registry } from "../catalog/registry.ts";
import { defined } from "../model/defined.ts";
import { libraryName } from "../reports/provenance.ts";
import { withChosenLibrary } from "../runtimes/node/library-copy.ts";
import type { Io } from "./io.ts";

/** {@link withChosenLibrary}, which tells of a library in another version than the codec was tried with. */
export async function withCodec<T>(
  registry: Registry,
  name: string,
  io: Io,
  work: (codec: NamedCodec) => Promise<T>,
): Promise<T> {
  return withChosenLibrary(
    registry,
    name,
    ({ copy, ...library }) => {
      io.tell(`${name}: with ${libraryName({ ...library, ...defined({ libraryFolder: copy?.folder }) })}\n`);
    },
    work,
  );
}
