/** What a phase is to begin without: garbage of what came before it, which it would pay for. */
export type Garbage = "all" | "young";

/** Collects all garbage, or that of the youngest objects alone. */
export type Collector = (garbage: Garbage) => void;

/**
 * The collector that `--expose-gc` gives a program; undefined without it. Of V8 alone it is known that it can collect what is young:
 * another engine collects all.
 * @param gc V8 13 takes any argument for a wish to collect what is young
 */
export function collectorOf(gc: ((young?: true) => void) | undefined): Collector | undefined {
  return gc && ((garbage) => (garbage === "all" ? gc() : gc(true)));
}

/**
 * Megabytes of a half of V8's young generation, as large as it gets on 64 bits. It begins with 1 and grows, and a page of memory costs
 * time when it is first written to: calls of v8.deserialize take 20.3 µs there and 14.8 µs from then on, and went from one to
 * the other and back for 120 ms, as long as it grew. A program that has run for a while pays nothing of that.
 */
const HALF_MB = 16;

/** Flag of V8 with which it begins so. */
export const WHOLE_YOUNG_GENERATION = `--min-semi-space-size=${HALF_MB}`;

/**
 * Variables with which malloc of the GNU C library keeps what is freed: bytes at its end that it gives back, and of a block that it asks
 * of the kernel alone. Results that are written into new buffers are of its memory, and its pages too cost time when they are first
 * written to: an encode of erlang-etf took 3.2 µs where a collection had freed some and 4.8 µs where none had.
 */
export const KEPT_MEMORY = {
  MALLOC_TRIM_THRESHOLD_: String(2 ** 30),
  MALLOC_MMAP_THRESHOLD_: String(2 ** 25),
};

/** Bytes of a block of memory outside of the heap that is written to, and how many there are. */
const BLOCK = { bytes: 2 ** 24 - 2 ** 12, count: 2 };

/** Bytes of a page at least. */
const PAGE = 4096;

/** Elements of an array of garbage, 16 KiB. */
const ELEMENTS = 2048;

/** Bytes of an element at least. */
const ELEMENT_BYTES = 8;

const sink: { value: unknown } = { value: undefined };

/**
 * Writes to the memory that a measuring process will use, which then is as that of a program that has run for a while: some
 * outside of the heap, which {@link KEPT_MEMORY} keeps, and the young generation. Writing to that collects the blocks.
 */
export function touchMemory(): void {
  const blocks = Array.from({ length: BLOCK.count }, () => new Uint8Array(BLOCK.bytes));
  for (const block of blocks) for (let at = 0; at < block.length; at += PAGE) block[at] = 1;
  blocks.length = 0;
  touchYoungGeneration();
}

/** Writes to all of a young generation that began with {@link WHOLE_YOUNG_GENERATION}: both halves, and somewhat more. */
export function touchYoungGeneration(): void {
  const arrays = (2.2 * HALF_MB * 2 ** 20) / (ELEMENTS * ELEMENT_BYTES);
  for (let i = 0; i < arrays; i++) sink.value = new Array(ELEMENTS).fill(i);
  sink.value = undefined;
}
