/** What waits for a link: one frame is on it at a time, and of those that wait the newest are kept. */
import { describe, expect, it } from "vitest";
import { Outbox } from "../../src/ipc/wire/queues.ts";

const INFINITE = Number.POSITIVE_INFINITY;
const NOTHING = new Uint8Array(0);

/** A link that holds a frame until it is told that it was sent. */
function outboxOf(limit: number) {
  const sent: (number | undefined)[] = [];
  const dropped: number[] = [];
  const errors: Error[] = [];
  let onLink = 0;
  let most = 0;
  let finish: { resolve(): void; reject(error: Error): void } | undefined;
  const link = {
    listeners: [0],
    send: (header: Uint8Array) =>
      new Promise<void>((resolve, reject) => {
        onLink += 1;
        most = Math.max(most, onLink);
        sent.push(header[0] === 255 ? undefined : header[0]!);
        const end = (): void => {
          onLink -= 1;
        };
        finish = {
          resolve: () => {
            end();
            resolve();
          },
          reject: (error) => {
            end();
            reject(error);
          },
        };
      }),
  };
  const outbox = new Outbox(link, limit, {
    drop: (sequence) => dropped.push(sequence),
    error: (error) => errors.push(error),
  });
  const offer = (sequence: number | undefined): void =>
    outbox.offer({ sequence, header: () => Uint8Array.of(sequence ?? 255), payload: NOTHING });
  const done = async (error?: Error): Promise<void> => {
    if (error === undefined) finish?.resolve();
    else finish?.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { outbox, offer, done, sent, dropped, errors, most: () => most };
}

describe("an outbox", () => {
  it("has one frame on its link, and sends the next when that was sent", async () => {
    const { offer, done, sent, dropped, most } = outboxOf(INFINITE);
    for (let i = 0; i < 4; i++) offer(i);
    expect(sent).toEqual([0]);
    await done();
    expect(sent).toEqual([0, 1]);
    for (let i = 0; i < 3; i++) await done();
    expect(sent).toEqual([0, 1, 2, 3]);
    expect(dropped).toEqual([]);
    expect(most()).toBe(1);
  });

  it("keeps the newest that wait, beside the one that cannot be withdrawn", async () => {
    const { offer, done, sent, dropped } = outboxOf(2);
    for (let i = 0; i < 6; i++) offer(i);
    expect(dropped).toEqual([1, 2, 3]);
    for (let i = 0; i < 3; i++) await done();
    expect(sent).toEqual([0, 4, 5]);
  });

  it("never drops the frame that ends a phase, and drops no message for it", async () => {
    const { offer, done, sent, dropped } = outboxOf(1);
    for (let i = 0; i < 3; i++) offer(i);
    offer(undefined);
    expect(dropped).toEqual([1]);
    for (let i = 0; i < 3; i++) await done();
    expect(sent).toEqual([0, 2, undefined]);
  });

  it("drops nothing while its link keeps up", async () => {
    const { offer, done, sent, dropped } = outboxOf(1);
    for (let i = 0; i < 50; i++) {
      offer(i);
      await done();
    }
    expect(dropped).toEqual([]);
    expect(sent.length).toBe(50);
  });

  it("is empty when the last frame was sent, and at once where none ever was", async () => {
    const { outbox, offer, done } = outboxOf(INFINITE);
    await outbox.empty();
    offer(0);
    offer(1);
    let empty = false;
    const emptied = outbox.empty().then(() => {
      empty = true;
    });
    await done();
    expect(empty).toBe(false);
    await done();
    await emptied;
    expect(empty).toBe(true);
  });

  it("sends nothing after a link that failed, and tells why once", async () => {
    const { offer, done, sent, errors } = outboxOf(INFINITE);
    offer(0);
    offer(1);
    await done(new Error("broken"));
    offer(2);
    await done();
    expect(sent).toEqual([0]);
    expect(errors.map(({ message }) => message)).toEqual(["broken"]);
  });
});
