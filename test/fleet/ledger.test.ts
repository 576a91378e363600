/** What a coordinator decides of what it heard. */
import { describe, expect, it } from "vitest";
import { ACK_WAIT_MS, Ledger, SILENCE_MS } from "../../src/fleet/ledger.ts";

const [HERE, THERE] = ["a".repeat(32), "b".repeat(32)];

/** A ledger of so many blocks, with workers by their lanes, each of which was handed what it may have. */
function handedOut(blocks: number, lanes: Readonly<Record<string, string>>): Ledger {
  const ledger = new Ledger(Array.from({ length: blocks }, (_, block) => block));
  for (const [worker, lane] of Object.entries(lanes)) ledger.hears(worker, { host: worker, lane }, 0);
  hand(ledger, 0);
  return ledger;
}

let sequence = 0;
function hand(ledger: Ledger, now: number) {
  const orders = ledger.orders();
  for (const order of orders) ledger.queued(order, ++sequence, now);
  return orders;
}

describe("a ledger", () => {
  it("hands out a block for each worker that is there, and the survey with the last", () => {
    const ledger = new Ledger([0, 1, 2]);
    expect(ledger.orders()).toEqual([]);
    ledger.hears("w1", { host: "one", lane: HERE }, 0);
    ledger.hears("w2", { host: "two", lane: THERE }, 0);
    expect(ledger.orders().map(({ block, lane }) => [block, lane])).toEqual([
      [0, HERE],
      [1, THERE],
    ]);
    ledger.hears("w3", { host: "one", lane: HERE }, 0);
    expect(ledger.orders().map(({ survey }) => survey)).toEqual([false, false, true]);
  });

  it("hands out no second block to a worker that has one, until that is done", () => {
    const ledger = handedOut(3, { w1: HERE });
    expect(ledger.orders()).toEqual([]);
    ledger.taken(0, "w1", 1, 0);
    expect(ledger.orders()).toEqual([]);
    ledger.done(0, 0);
    expect(ledger.orders().map(({ block }) => block)).toEqual([1]);
  });

  it("leaves the second delivery of a lost worker's block to the server, while its lane has another", () => {
    const ledger = handedOut(1, { w1: HERE, w2: HERE });
    ledger.taken(0, "w1", 1, 0);
    ledger.hears("w2", { host: "w2", lane: HERE }, SILENCE_MS);
    expect(ledger.dropSilent(SILENCE_MS)).toEqual(["w1"]);
    expect(ledger.settle(SILENCE_MS)).toEqual([]);
    expect(ledger.open).toEqual([0]);
    ledger.taken(0, "w2", 2, SILENCE_MS);
    ledger.done(0, SILENCE_MS);
    expect(ledger.finished).toEqual([0]);
  });

  it("gives the block of a lane that nobody is left of to another, once", () => {
    const ledger = handedOut(2, { w1: HERE, w2: THERE });
    ledger.taken(0, "w1", 1, 0);
    ledger.taken(1, "w2", 1, 0);
    ledger.done(1, 0);
    ledger.hears("w2", { host: "w2", lane: THERE }, SILENCE_MS);
    ledger.dropSilent(SILENCE_MS);
    expect(ledger.settle(SILENCE_MS).map(({ block }) => block)).toEqual([0]);
    expect(ledger.orders()).toEqual([{ block: 0, lane: THERE, survey: false, deliveries: 1 }]);
  });

  it("gives up a block whose two workers were lost, with the reason", () => {
    const ledger = handedOut(1, { w1: HERE, w2: HERE });
    ledger.taken(0, "w1", 1, 0);
    ledger.taken(0, "w2", 2, ACK_WAIT_MS);
    ledger.dropSilent(ACK_WAIT_MS + SILENCE_MS);
    expect(ledger.settle(ACK_WAIT_MS + SILENCE_MS)).toHaveLength(1);
    expect(ledger.open).toEqual([]);
    expect(ledger.lost).toEqual([{ block: 0, reason: "handed out 2 times: its machine fell silent" }]);
  });

  it("keeps a block whose first worker comes back, while the second is lost", () => {
    const ledger = handedOut(1, { w1: HERE, w2: HERE });
    ledger.taken(0, "w1", 1, 0);
    ledger.taken(0, "w2", 2, ACK_WAIT_MS);
    ledger.hears("w1", { host: "w1", lane: HERE, block: 0 }, ACK_WAIT_MS + SILENCE_MS);
    ledger.dropSilent(ACK_WAIT_MS + SILENCE_MS);
    expect(ledger.settle(ACK_WAIT_MS + SILENCE_MS)).toEqual([]);
    expect(ledger.open).toEqual([0]);
  });

  it("loses a block that nobody began twice, where a worker waits beside it in vain", () => {
    const ledger = handedOut(1, { w1: HERE });
    const much = 4 * ACK_WAIT_MS;
    ledger.hears("w1", { host: "w1", lane: HERE }, much);
    expect(ledger.settle(much)).toHaveLength(1);
    expect(hand(ledger, much)).toEqual([{ block: 0, lane: HERE, survey: true, deliveries: 2 }]);
    ledger.hears("w1", { host: "w1", lane: HERE }, 2 * much);
    ledger.settle(2 * much);
    expect(ledger.lost).toEqual([{ block: 0, reason: "handed out 2 times: nobody began it" }]);
  });

  it("hands a block out to be begun twice, where a delivery between was lost on its way", () => {
    const ledger = handedOut(1, { w1: HERE, w2: HERE });
    ledger.taken(0, "w1", 1, 0);
    const much = 4 * ACK_WAIT_MS;
    ledger.hears("w2", { host: "w2", lane: HERE }, much);
    ledger.dropSilent(much);
    ledger.hears("w2", { host: "w2", lane: HERE }, 2 * much);
    expect(ledger.settle(2 * much)).toHaveLength(1);
    expect(hand(ledger, 2 * much)).toEqual([{ block: 0, lane: HERE, survey: true, deliveries: 1 }]);
    expect(ledger.lost).toEqual([]);
  });

  it("takes an answer of a block that was given up", () => {
    const ledger = handedOut(1, { w1: HERE });
    ledger.lose(0, "why");
    expect(ledger.isWanted(0)).toBe(true);
    ledger.done(0, 0);
    expect(ledger.isWanted(0)).toBe(false);
    expect(ledger.lost).toEqual([]);
  });

  it("hands a block out once more whose answer was of no use, and then gives it up", () => {
    const ledger = handedOut(1, { w1: HERE });
    ledger.taken(0, "w1", 1, 0);
    ledger.spoilt(0, "w1", "it is wrong", 0);
    expect(hand(ledger, 0)).toEqual([{ block: 0, lane: HERE, survey: true, deliveries: 1 }]);
    ledger.taken(0, "w1", 1, 0);
    ledger.spoilt(0, "w1", "it is wrong", 0);
    expect(ledger.lost).toEqual([{ block: 0, reason: "handed out 2 times: it is wrong" }]);
  });

  it("calls nobody silent for the time that the server was away", () => {
    const ledger = handedOut(1, { w1: HERE });
    ledger.forgives(10 * SILENCE_MS);
    expect(ledger.dropSilent(10 * SILENCE_MS)).toEqual([]);
  });
});
