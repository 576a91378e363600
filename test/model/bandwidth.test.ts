import { describe, expect, it } from "vitest";
import { parseBandwidth } from "../../src/model/bandwidth.ts";
import { UsageError } from "../../src/model/errors.ts";

describe("a bandwidth", () => {
  it.each([
    ["10M", 10e6],
    ["10Mbit/s", 10e6],
    ["10 Mbit/s", 10e6],
    ["10Mbits/s", 10e6],
    ["10Mbps", 10e6],
    ["10mbps", 10e6],
    ["10Mb/s", 10e6],
    ["1G", 1e9],
    ["2.5G", 2.5e9],
    ["2.3G", 2.3e9],
    ["100k", 100e3],
    ["100K", 100e3],
    ["1T", 1e12],
    ["9600", 9600],
    ["9600bit/s", 9600],
    [" 0.5k ", 500],
  ])("%s", (text, expected) => {
    expect(parseBandwidth(text)).toBe(expected);
  });

  it.each([
    "",
    " ",
    "M",
    "fast",
    "-1M",
    "+1M",
    "1e9",
    "0x10",
    ".5G",
    "5.G",
    "1,000",
    "10MB/s",
    "10 MBps",
    "10MB",
    "10Mi",
    "10Mbit",
    "10M/s",
    "1G 2G",
    "NaN",
    "Infinity",
    "１０M",
  ])("is refused as %j, with its place", (text) => {
    expect(() => parseBandwidth(text, "--bandwidth")).toThrow(UsageError);
    expect(() => parseBandwidth(text, "--bandwidth")).toThrow(
      `--bandwidth: expected bits per second as 10M, 100Mbit/s or 2.5G, got ${JSON.stringify(text)}`,
    );
  });

  it.each(["0", "0.0G", "0.1", "1001T", "9".repeat(400)])("is refused as %s, which no link has", (text) => {
    expect(() => parseBandwidth(text)).toThrow(
      /^bandwidth: expected a number from 1 to 1000000000000000, got /,
    );
  });
});
