/** Codecs whose text is JSON, in which values stand otherwise than in plain JSON. */
import { describeRegions } from "./suite.ts";

const SMALL = ["tellist", "garden", "packet", "speed-small", "cloud:20"];

describeRegions("superjson", true);
describeRegions("devalue", true);
// Its library takes bytes up to a million.
describeRegions("seroval", true, SMALL);
