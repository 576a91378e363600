/** Addresses in records and errors have no password in them. */
import { expect, it } from "vitest";
import { withoutLogin } from "../../src/model/without-login.ts";

it.each([
  ["nats://host:4222", "nats://host:4222"],
  ["nats://me:secret@host:4222", "nats://host:4222"],
  ["NATS://me:secret@host", "NATS://host"],
  ["nats://token@host", "nats://host"],
  ["nats://me:se/cret@host", "nats://host"],
  ["nats://me:se@cret@host", "nats://host"],
  ["--transport=nats://me:secret@host", "--transport=nats://host"],
  ["frame:6500000", "frame:6500000"],
])("%s is shown as %s", (text, shown) => {
  expect(withoutLogin(text)).toBe(shown);
});
