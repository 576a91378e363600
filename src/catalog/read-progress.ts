import { statSync } from "node:fs";

/**
 * How far a user's data is read: `read` counts bytes of the files, `infer` those of the file that a schema is inferred from,
 * `parse` begins with a whole file, `check` counts values.
 */
export interface ReadProgress {
  readonly step: "read" | "infer" | "parse" | "check";
  readonly done: number;
  /** Absent where nobody knows it, as of standard input. */
  readonly total?: number;
}

/** Is told how far reading is: some thousand times for 100 MB. */
export type OnRead = (now: ReadProgress) => void;

/** Takes the bytes of files as they are read, and tells how many of all they are. */
export function bytesRead(files: readonly string[], onRead: OnRead): (bytes: number) => void {
  const sizes = files.map(sizeOf);
  const isKnown = !sizes.includes(undefined);
  const total = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  let done = 0;
  return (bytes) => {
    done += bytes;
    onRead({ step: "read", done, ...(isKnown && { total }) });
  };
}

/** Bytes of a file; undefined for what is none, or cannot be read, which whoever reads it tells. */
function sizeOf(file: string): number | undefined {
  try {
    const found = statSync(file);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}

/** The items with their indexes, to be gone through twice. @param pass 0 for the first time, 1 for the second */
export function* checked<Item>(
  items: readonly Item[],
  pass: 0 | 1,
  onRead: OnRead = () => {},
): Generator<[number, Item]> {
  const { length } = items;
  for (const [index, item] of items.entries()) {
    if ((index & 0xfff) === 0) onRead({ step: "check", done: (index + pass * length) / 2, total: length });
    yield [index, item];
  }
}
