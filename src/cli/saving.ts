import { UsageError } from "../model/errors.ts";

/** What could not be saved. A disk that is full now is no reason to lose what is measured: it may have room later. */
export class Saving {
  readonly #unsaved = new Map<string, UsageError>();

  /** Saves something, and keeps in mind whether it was; what is saved again under its name makes that good. */
  attempt(name: string, save: () => void): void {
    this.#unsaved.delete(name);
    try {
      save();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.#unsaved.set(name, error);
    }
  }

  /** Throws UsageError for what is not saved. */
  expectSaved(): void {
    for (const error of this.#unsaved.values()) throw error;
  }
}
