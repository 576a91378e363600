/**
 * Numbers and texts of which the records are made. The tags are what their JSON schemas and the check of a record that is
 * read say of them.
 */

/**
 * A number from 0 on.
 * @minimum 0
 */
export type NonNegative = number;

/**
 * How many, or which, counted from 0.
 * @asType integer
 * @minimum 0
 */
export type Count = number;

/**
 * How many of what there is at least one.
 * @asType integer
 * @minimum 1
 */
export type PositiveCount = number;

/**
 * Bytes. A mean of several sizes need not be whole.
 * @minimum 0
 */
export type Bytes = number;

/** @minimum 0 */
export type Nanoseconds = number;

/** @minimum 0 */
export type Milliseconds = number;

/**
 * A part of a whole.
 * @minimum 0
 * @maximum 1
 */
export type Share = number;

/** The two ends of a confidence interval of what cannot be below 0. */
export type Interval = readonly [NonNegative, NonNegative];

/**
 * Bits per second.
 * @exclusiveMinimum 0
 */
export type Bandwidth = number;

/**
 * ISO 8601, UTC.
 * @pattern ^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$
 */
export type Timestamp = string;

/** Which program made a record, in which version and called how. */
export interface Tool {
  readonly name: "wirebench";
  readonly version: string;
  /** The command line, ready to be pasted into a shell. */
  readonly command: string;
}
