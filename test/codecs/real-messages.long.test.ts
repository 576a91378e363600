/** Real messages, in every library that does not come with wirebench. */
import { describe } from "vitest";
import { loadDataset } from "../../src/catalog/load-dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import { carriedBy } from "../../src/schema/values/documents.ts";
import { expectAccess, expectRoundTrips } from "../codec-contract.ts";
import { itWithRealData, realData } from "../real-data.ts";

const registry = await Registry.open();
const all = await Promise.all((await registry.selectCodecs(["*"])).map((name) => registry.codec(name)));
const optional = all.filter(({ tried }) => tried !== undefined);

describe.each([
  ["google_message1", "bench.Message1"],
  ["google_message2", "bench.Message2"],
])("%s", (name, message) => {
  itWithRealData.each(optional.map((codec) => [codec.name, codec] as const))(
    "is carried by %s, or refused with a reason",
    async (_, codec) => {
      const data = realData(`${name}.dat`);
      const own = carriedBy(codec, await loadDataset({ schema: realData("messages.proto"), message, data }));
      try {
        const binding = await codec.bind(own);
        expectRoundTrips(codec, binding, own);
        expectAccess(codec, binding, own);
      } catch (error) {
        if (!(error instanceof UnsupportedError)) throw error;
      }
    },
  );
});
