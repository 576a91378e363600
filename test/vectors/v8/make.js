// Prints what v8.serialize of the running Node.js makes of each value, in hex.
import { serialize } from "node:v8";
import { values } from "./values.js";

const vectors = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, serialize(value).toString("hex")]),
);
const { version, versions } = process;
console.log(JSON.stringify({ node: version, v8: versions.v8, vectors }, undefined, 2));
