import type { IpcPair, IpcRecord, IpcTestRecord } from "../../../../model/records/ipc.ts";
import { formatShare } from "../../../../model/share.ts";
import { formatBytes } from "../../../units.ts";
import { PUBLISHED } from "../published.ts";
import { CODECS, type Comparison, compare, isOfSize, otherSize } from "./comparison.ts";
import { type Interval, shareInterval } from "./noise.ts";
import { stageDifference } from "./stage-difference.ts";
import { type Claim, type Finding, finding, outcomeOf, untold } from "./verdict.ts";

/** The published size with drops: that of 6.5 MB has none to speak of. */
const MEGABYTES = Math.max(...PUBLISHED.fanOut.map(({ megabytes }) => megabytes));

/** Where messages may be lost, Cap'n Proto loses fewer of 26 MB, with two listeners and with two talkers. */
export const DROPS: Claim = {
  name: "capnp-drops-less",
  statement: "At 26 MB, one-to-two and two-to-one, Cap'n Proto drops 0 of 100 messages, Protobuf 28 and 25",
  judge(record, dataset) {
    const found = (["one-to-two", "two-to-one"] as const).map((test) => dropsOf(record, dataset, test));
    const because = found.map((one) => one.because).join("; ");
    const stage = found.flatMap((one) => (one.stage === undefined ? [] : [one.stage])).join("; ");
    return {
      outcome: outcomeOf(
        found.every(({ outcome }) => outcome === "holds here"),
        found.some(({ outcome }) => outcome === "does not hold here"),
      ),
      because,
      ...(stage === "" ? {} : { stage }),
    };
  },
};

function dropsOf(record: IpcRecord, dataset: string, test: "one-to-two" | "two-to-one"): Finding {
  const mayLose = ({ reliability }: IpcTestRecord): boolean => reliability === "best-effort";
  const rows = compare(record, {
    test,
    dataset,
    fits: (row) => mayLose(row) && isOfSize(row, MEGABYTES),
    lack: (own) => {
      const lossy = own.filter(mayLose);
      return lossy.length > 0 ? otherSize(lossy, MEGABYTES) : "nothing was sent that may be lost";
    },
  });
  if (typeof rows === "string") return untold(`${test}: ${rows}`);
  const [capnp, protobuf] = [lossOf(rows.capnp), lossOf(rows.protobuf)];
  const { depth, rateHz } = rows.capnp;
  const pace = rateHz === undefined ? "as soon as they may be" : `at ${rateHz} per second`;
  const none = capnp.lost === 0 && protobuf.lost === 0 ? ", where nothing is lost nothing is told" : "";
  const stage = [placesOf(rows), stageDifference(rows, capnp.middle > protobuf.middle)].filter(Boolean);
  return finding(
    outcomeOf(capnp.high < protobuf.low, capnp.low > protobuf.high),
    `${test}, sent ${pace} to queues that keep ${depth}: ${CODECS.capnp} drops ${capnp.text}, ${CODECS.protobuf} ${protobuf.text}${none}`,
    `${test}: ${stage.join("; ")}`,
  );
}

/** Where either codec's messages were lost. */
function placesOf({ capnp, protobuf }: Comparison): string {
  const at = (place: keyof IpcPair["drops"]): string => {
    const [one, other] = [capnp, protobuf].map(({ pairs }) =>
      pairs.reduce((sum, { drops }) => sum + drops[place], 0),
    );
    return `${one} and ${other}`;
  };
  return `${CODECS.capnp} and ${CODECS.protobuf} lost in talkers' queues ${at("sender")}, overwritten ${at("overwritten")}, in listeners' queues ${at("receiver")}`;
}

function lossOf({ pairs }: IpcTestRecord): Interval & { readonly lost: number; readonly text: string } {
  const published = pairs.reduce((sum, pair) => sum + pair.published, 0);
  const lost = published - pairs.reduce((sum, pair) => sum + pair.received, 0);
  const interval = shareInterval(lost, published);
  const shares = `${formatShare(interval.low)} to ${formatShare(interval.high)}`;
  return { ...interval, lost, text: `${formatBytes(lost)} of ${formatBytes(published)} (${shares})` };
}
