// Loaded before a worker: a processor of another model, as another machine has.
import os from "node:os";

const own = os.cpus;
os.cpus = () => own().map((cpu) => ({ ...cpu, model: process.env["TEST_CPU"] }));
