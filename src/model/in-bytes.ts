/** `1 byte`, `12 bytes`, for messages. */
export function inBytes(count: number): string {
  return `${count} ${count === 1 ? "byte" : "bytes"}`;
}
