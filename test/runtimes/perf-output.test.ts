/** What perf prints, as versions of it and machines have it, becomes a count or a reason. */
import { describe, expect, it } from "vitest";
import { eventCount, perfFault } from "../../src/runtimes/node/perf-output.ts";

/** The lines that follow are perf 6.1's but where a name says otherwise. */
const OUTPUTS = {
  counted:
    "Events disabled\nEvents enabled\nEvents disabled\n1387054;;instructions:u;873311;100.00;1.21;insn per cycle\n1146301;;cycles:u;873311;100.00;;\n",
  "perf 5.10":
    "1387054;;instructions:u;873311;100.00;1.21;insn per cycle\n1146301;;cycles:u;873311;100.00;;\n",
  "a locale with a decimal comma": "1387054;;instructions:u;873311;100,00;1,21;insn per cycle\n",
  "a processor of two kinds of cores":
    "1387000;;cpu_core/instructions/u;873311;100.00;1.21;insn per cycle\n54;;cpu_atom/instructions/u;311;100.00;;\n",
  "a processor of which one kind of cores ran nothing":
    "1387054;;cpu_core/instructions:u/;873311;100.00;1.21;insn per cycle\n<not counted>;;cpu_atom/instructions:u/;0;0.00;;\n",
} as const;

describe("a count", () => {
  it.each(Object.entries(OUTPUTS))("%s", (_, output) => {
    expect(eventCount(output, "instructions:u")).toBe(1387054);
  });

  it("is of the event that was asked for, and of no other whose name begins like it", () => {
    const output =
      "5;;instructions-retired;1;100.00;;\n7;;instructions:u;1;100.00;;\n9;;cycles:u;1;100.00;;\n";
    expect(eventCount(output, "instructions:u")).toBe(7);
    expect(eventCount(output, "cycles:u")).toBe(9);
  });

  it("may have a part, as time has", () => {
    expect(eventCount("58.49;msec;task-clock:u;58487934;100.00;0.934;CPUs utilized\n", "task-clock:u")).toBe(
      58.49,
    );
  });
});

describe("a reason", () => {
  it.each([
    [
      "the event is not supported",
      "<not supported>;;instructions:u;0;100.00;;\n<not supported>;;cycles:u;0;100.00;;\n",
      "perf says that instructions:u is not supported here",
    ],
    [
      "it was not counted",
      "<not counted>;;instructions:u;0;100.00;;\n",
      "perf says that instructions:u is not counted here",
    ],
    [
      "it was counted for a part of the time only",
      "1387054;;instructions:u;873311;63.20;1.21;insn per cycle\n",
      "perf counted instructions:u for 63.2 % of the time: something else counts too, or the thread changed between kinds of cores",
    ],
    [
      "the count is no number",
      "many;;instructions:u;873311;100.00;;\n",
      "perf printed no count of instructions:u: many;;instructions:u;873311;100.00;;",
    ],
    [
      "the share is missing",
      "12;;instructions:u\n",
      "perf printed no count of instructions:u: 12;;instructions:u",
    ],
    [
      "users may not count",
      "Error:\nAccess to performance monitoring and observability operations is limited.\nConsider adjusting /proc/sys/kernel/perf_event_paranoid setting to open\naccess to performance monitoring\nperf_event_paranoid setting is 4:\n  -1: Allow use of (almost) all events by all users\n",
      "perf is not allowed to count: /proc/sys/kernel/perf_event_paranoid is 4, expected 2 or less",
    ],
    [
      "a container's rules forbid it",
      "Error:\nThe sys_perf_event_open() syscall returned with 1 (Operation not permitted) for event (instructions:u).\n/bin/dmesg | grep -i perf may provide additional information.\n\n",
      "perf says: The sys_perf_event_open() syscall returned with 1 (Operation not permitted) for event (instructions:u)",
    ],
    [
      "perf is older than its option",
      "  Error: unknown option `control'\n\n Usage: perf stat [<options>] [<command>]\n",
      "perf says: unknown option `control'",
    ],
    [
      "perf belongs to another kernel",
      "WARNING: perf not found for kernel 6.18.0\n\n  You may need to install the following packages\n",
      "perf says: WARNING: perf not found for kernel 6.18.0",
    ],
    ["it printed nothing", "Events disabled\n", "perf says: it printed nothing"],
  ])("%s", (_, output, unavailable) => {
    expect(eventCount(output, "instructions:u")).toEqual({ unavailable });
  });

  it("is a single line, whatever perf says", () => {
    expect(perfFault("\n\nfirst\nsecond\n")).toBe("perf says: first");
  });
});
