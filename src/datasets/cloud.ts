import { defineDataset } from "../model/dataset.ts";
import { seededRandom } from "../model/random.ts";
import type { MessageType } from "../model/schema.ts";
import { always, field, list, schemaOf } from "../schema/declare.ts";

/** Bytes of the smaller messages of the published benchmark between processes. */
const PUBLISHED_BYTES = 6_500_000;

/** Bytes of a point: four floats. */
const POINT_BYTES = 16;

const point: MessageType = {
  name: "cloud.Point",
  fields: [
    field(1, "x", "float", always),
    field(2, "y", "float", always),
    field(3, "z", "float", always),
    field(4, "intensity", "float", always),
  ],
};

const cloud: MessageType = {
  name: "cloud.Cloud",
  fields: [
    field(1, "sequence", "uint32", always),
    field(2, "stamp", "fixed64", always),
    field(3, "source", "string", always),
    field(4, "points", point, list),
  ],
};

const schema = schemaOf("cloud", [cloud, point]);

/**
 * A scan as laser scanners send them: points, each a message of four floats, so that what a codec takes is what its
 * fields take. There are as many as it takes to fill the bytes, so at least one. Of the messages of the published
 * benchmark between processes, only the sizes are known.
 */
export default defineDataset({
  story: "A laser scanner's points, each a message of four floats.",
  schema,
  size: { unit: "bytes of points", standard: PUBLISHED_BYTES, max: 100_000_000 },
  // The same points from another one on: JSON has more digits for some floats than for others.
  make: (size, index) => {
    const points = pointsOf(Math.ceil(size / POINT_BYTES));
    const start = index % points.length;
    return {
      // From 1000 on: as many digits for each.
      sequence: 1000 + index,
      stamp: 1_700_000_000_000_000 + 100_000 * index,
      source: "lidar/roof",
      points: points.slice(start).concat(points.slice(0, start)),
    };
  },
});

function pointsOf(count: number) {
  const random = seededRandom(0);
  const metres = (reach: number): number => Math.fround((random() - 0.5) * reach);
  return Array.from({ length: count }, () => ({
    x: metres(200),
    y: metres(200),
    z: metres(10),
    intensity: Math.fround(random()),
  }));
}
