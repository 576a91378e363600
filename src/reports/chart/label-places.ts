/** Where the names of points stand, so that none covers another. */
import type { Point } from "./marks.ts";

/** A point with a name of so many pixels. */
export interface Named extends Point {
  readonly width: number;
}

/** From one point to another. */
export type Line = readonly [Point, Point];

/** A rectangle in pixels. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where a name stands: its box, and whether a line must lead to its point. */
export interface Place {
  readonly box: Box;
  readonly far: boolean;
}

/** Pixels of a point with the space around it, and of a line of text. */
const POINT = 6;
const LINE = 14;
/** Pixels from a point to its name, and the most beyond which a line leads to it. */
const NEAREST = 8;
const NEAR = 14;
const STEP = 6;

/** Directions in which a name may stand, those that read best first. In quarters of a half turn, clockwise from the right. */
const DIRECTIONS = [0, -1, 1, 4, -3, 3, -2, 2, -0.5, 0.5, -1.5, 1.5, -2.5, 2.5, -3.5, 3.5];

/** How many pixels nearer a name would stand than cover a line, or have its own line lead past another point. */
const COVERED = 30;
const PAST = 60;

/**
 * Places for the names of points within a box, in the order of the points: the first get the best. None covers a
 * point or another name; undefined for one that has no room.
 * @param lines that names cover only where they would stand far away otherwise
 */
export function placeNames(
  points: readonly Named[],
  bounds: Box,
  lines: readonly Line[] = [],
): (Place | undefined)[] {
  const taken = points.map(({ x, y }) => around(x, y, 2 * POINT, 2 * POINT));
  const drawn = [...lines];
  return points.map((point, n) => {
    // Points that touch this one cannot be in the way of its line.
    const others = taken.filter((box, m) => m !== n && (m >= points.length || !overlap(box, taken[n]!)));
    const costOf = ({ box, distance, far }: Candidate): number => {
      const covered = drawn.filter((line) => crosses(line, box)).length;
      const leader: Line = [point, nearestOf(box, point)];
      const past = far ? others.filter((other) => crosses(leader, other)).length : 0;
      return distance + COVERED * covered + PAST * past;
    };
    let best: Candidate | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const one of candidates(point, bounds)) {
      if (one.distance >= least) break;
      if (!within(one.box, bounds) || taken.some((other, m) => m !== n && overlap(one.box, other))) continue;
      const cost = costOf(one);
      if (cost < least) [best, least] = [one, cost];
    }
    if (best === undefined) return undefined;
    const { box, far } = best;
    taken.push(box);
    if (far) drawn.push([point, nearestOf(box, point)]);
    return { box, far };
  });
}

/** A place that a name may have, and how far that is from its point. */
interface Candidate extends Place {
  readonly distance: number;
}

/** Where a name may stand, from the nearest to the furthest. */
function* candidates(point: Named, { left, right, top, bottom }: Box): Generator<Candidate> {
  const furthest = Math.hypot(right - left, bottom - top);
  for (let distance = NEAREST; distance < furthest; distance += STEP)
    for (const direction of DIRECTIONS)
      yield { box: boxAt(point, distance, (direction * Math.PI) / 4), far: distance > NEAR, distance };
}

/** The point of a box that is nearest to another point. */
export function nearestOf({ left, right, top, bottom }: Box, { x, y }: Point): Point {
  return { x: Math.min(right, Math.max(left, x)), y: Math.min(bottom, Math.max(top, y)) };
}

/** The box of a name whose edge is that far from its point. */
function boxAt({ x, y, width }: Named, distance: number, angle: number): Box {
  const [right, down] = [Math.cos(angle), Math.sin(angle)];
  return around(x + right * (distance + width / 2), y + down * (distance + LINE / 2), width, LINE);
}

function around(x: number, y: number, width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function within(box: Box, { left, right, top, bottom }: Box): boolean {
  return box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** Whether a line goes through a box, as seen at steps of three pixels. */
function crosses([from, to]: Line, { left, right, top, bottom }: Box): boolean {
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 3);
  for (let step = 0; step <= steps; step++) {
    const x = from.x + ((to.x - from.x) * step) / (steps || 1);
    const y = from.y + ((to.y - from.y) * step) / (steps || 1);
    if (x > left && x < right && y > top && y < bottom) return true;
  }
  return false;
}
