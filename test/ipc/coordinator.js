// An exchange in a process of its own, for tests that kill it. A line on stdout tells each stage that it reached.
import { exchange } from "../../dist/ipc/exchange/exchange.js";

const spec = JSON.parse(process.argv[2], (_, value) =>
  value === "infinite" ? Number.POSITIVE_INFINITY : value,
);
const tell = (stage) => process.stdout.write(`${stage}\n`);

const outcome = exchange(spec, { onStarted: () => tell("started"), onShare: () => tell("middle") });
tell("begun");
await outcome;
