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
  ["nats://me:my secret@host:4222", "nats://host:4222"],
  ["nats://me:a \"b' c\n%40d@host", "nats://host"],
  [" nats://me:my secret@host,uds", " nats://host,uds"],
  ["nats://me:one@a,nats://me:two@b", "nats://b"],
  ["nats:me:secret@host", "nats:host"],
  ["nats:/me:secret@host", "nats:/host"],
  ["shm:/mnt/a@b", "shm:/mnt/a@b"],
  ["tls2://me:secret@host", "tls2://host"],
  ["--transport=nats://me:secret@host", "--transport=nats://host"],
  ["@published", "@published"],
  ["frame:6500000", "frame:6500000"],
])("%s is shown as %s", (text, shown) => {
  expect(withoutLogin(text)).toBe(shown);
});
