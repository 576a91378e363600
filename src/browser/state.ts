/** What is chosen in the page, in the address: whoever gets the link sees the same. */
export class State {
  readonly #appliers: (() => void)[] = [];
  #values = new URLSearchParams(location.hash.slice(1));

  constructor() {
    addEventListener("hashchange", () => {
      this.#values = new URLSearchParams(location.hash.slice(1));
      this.apply();
    });
  }

  get(key: string): string | undefined {
    return this.#values.get(key) ?? undefined;
  }

  /** Keeps a choice; undefined for what is chosen at first. */
  set(key: string, value: string | undefined): void {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
    const hash = this.#values.toString();
    history.replaceState(null, "", hash === "" ? location.href.replace(/#.*/, "") : `#${hash}`);
    this.apply();
  }

  /** Calls this now, and whenever something is chosen. */
  onChange(applier: () => void): void {
    this.#appliers.push(applier);
    applier();
  }

  apply(): void {
    for (const applier of this.#appliers) applier();
  }
}
