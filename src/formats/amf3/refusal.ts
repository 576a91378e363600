import { ValueError } from "../../model/errors.ts";
import { pathText } from "../../model/value.ts";

/** What is wrong with a value, on its way up to the root, which knows the path to it. */
export class Refusal extends Error {
  /** Steps from the value at which this is caught to the one that is wrong, the last one first. */
  readonly #steps: (string | number)[] = [];

  /** What an error at a step below a value is at that value. */
  static at(step: string | number, error: unknown): Refusal {
    const refusal = Refusal.of(error);
    refusal.#steps.push(step);
    return refusal;
  }

  /** What went wrong while a value was read: whatever a getter or a function of the caller throws. */
  static of(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    const text = error instanceof Error ? error.message : String(error);
    return new Refusal(`cannot be read: ${text}`, { cause: error });
  }

  /** The error for the caller. */
  toValueError(): ValueError {
    const error = new ValueError(pathText(this.#steps.toReversed()), this.message);
    if (this.cause !== undefined) error.cause = this.cause;
    return error;
  }
}
