import { DecodeError, type DecodeProblem } from "../../model/errors.ts";
import { pathText } from "../../model/value.ts";

/** Where in the value a walk is, for the errors that it throws. */
export class Trail {
  readonly #steps: (string | number)[] = [];

  /** Goes to a field or an element of what it is at. */
  enter(step: string | number): void {
    this.#steps.push(step);
  }

  /** Goes back. */
  leave(): void {
    this.#steps.pop();
  }

  /** @param offset byte of the message */
  fail(problem: string, offset: number, code: DecodeProblem = "corrupt"): never {
    throw new DecodeError("capnp", problem, { code, offset, path: pathText(this.#steps) });
  }
}
