/** What the coordinator finds out of the messages that processes send. */
import { describe, expect, it } from "vitest";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { datasetHash } from "../../src/catalog/dataset-hash.ts";
import { Registry } from "../../src/catalog/registry.ts";
import type { DescribedMessage, Job, MemberResult, WorkerMessage } from "../../src/measure/job.ts";
import { PROFILES } from "../../src/measure/profiles.ts";
import { described } from "../../src/runtimes/launch/describe.ts";

const book = await namedDataset(await Registry.open(), "tellist");
const ENCODED = Buffer.from(JSON.stringify(book.values[0])).toString("base64");

const job: Job = {
  members: ["json", "msgpackr"].map((codec) => ({
    source: { codec, plugins: [] },
    dataset: "tellist",
    operations: [],
    describe: true,
    survey: false,
  })),
  int64: undefined,
  profile: PROFILES.quick,
  others: [],
};

const about = { dataset: { values: 16, int64: "number" } } as const;
const member: MemberResult = { bytes: 2617, operations: [], ...about };
const refused: MemberResult = { ...member, refused: { status: "failed", reason: "lost" } };

async function heard(messages: readonly WorkerMessage[], of = job): Promise<DescribedMessage[]> {
  async function* all(): AsyncGenerator<WorkerMessage> {
    yield* messages;
  }
  const found: DescribedMessage[] = [];
  for await (const one of described(all(), of)) found.push(one);
  return found;
}

const sent = (place: number, format = "json"): WorkerMessage => ({
  sent: { member: place, format, encoded: ENCODED },
});

const SHA256 = datasetHash(book);

describe("a message that was sent", () => {
  it("is described in the results that follow, of its member alone", async () => {
    const result = { members: [member, member] };
    const [first, second, ...others] = await heard([sent(0), { timed: result }, { result }]);
    expect(others).toEqual([]);
    const payload = { bytes: 2617, uses: { text: expect.any(Number), keys: expect.any(Number) } };
    const whole = {
      members: [
        { ...member, dataset: { ...about.dataset, sha256: SHA256 }, payload },
        { ...member, dataset: { ...about.dataset, sha256: SHA256 } },
      ],
    };
    expect(first).toMatchObject({ timed: whole });
    expect(second).toMatchObject({ result: whole });
    expect(JSON.stringify(second)).not.toContain("sent");
  });

  it("is none of a member that was refused", async () => {
    const [first] = await heard([sent(0), { result: { members: [refused, member] } }]);
    expect(first).toMatchObject({ result: { members: [{ refused: { reason: "lost" } }, {}] } });
    expect(JSON.stringify(first)).not.toContain("payload");
  });

  it("has sizes alone where its format has no reader", async () => {
    const [first] = await heard([sent(1, "no such format"), { result: { members: [member, member] } }]);
    expect(first).toMatchObject({ result: { members: [{}, { payload: { bytes: 2617 } }] } });
    expect(JSON.stringify(first)).not.toContain("uses");
  });
});

describe("all else", () => {
  it("passes as it is", async () => {
    const messages: DescribedMessage[] = [
      { after: "a" },
      { timedAll: true },
      { result: { members: [{ bytes: 3, operations: [] }] } },
    ];
    expect(await heard(messages)).toEqual(messages);
  });
});

it("a dataset that cannot be made here has no hash, and its messages have sizes", async () => {
  const missing = { ...job, members: job.members.map((one) => ({ ...one, dataset: "only there" })) };
  const found = await heard([sent(0), { result: { members: [member, member] } }], missing);
  expect(found).toEqual([
    { result: { members: [{ ...member, payload: expect.objectContaining({ bytes: 2617 }) }, member] } },
  ]);
});
