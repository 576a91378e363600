/** What went wrong, in one line for the other machine: no stack, which says more of this one than it needs to know. */
export function oneReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\p{C}+/gu, " ").slice(0, 1000);
}
