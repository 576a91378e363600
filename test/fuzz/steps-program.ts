/**
 * Counts the steps that one mutant takes, whose hex is on the standard input, and prints them as `report` does:
 *
 *     node --import ../formats/linear-work/steps.js steps-program.js FORMAT SEED TARGET
 */
import { readFileSync } from "node:fs";
import { report } from "../formats/linear-work/steps.ts";
import { targetsOf } from "./targets.ts";

const [format = "", seed = "1", index = "0"] = process.argv.slice(2);
const target = (await targetsOf(format, Number(seed)))[Number(index)]!;
const bytes = Buffer.from(readFileSync(0, "latin1"), "hex");
report([{ name: target.name, make: () => () => target.take(bytes) }]);
