/** Published figures beside measured ones: times of the address book, latencies and losses between processes. */
import {
  averageOf,
  PUBLISHED_ADDRESS_BOOK,
  PUBLISHED_IPC,
  type System,
} from "../../../analysis/claims/published.ts";
import { nameIn, SYSTEMS } from "../../../analysis/claims/systems.ts";
import type { ClaimsRecord, Side } from "../../../model/records/claims.ts";
import type { IpcTestRecord } from "../../../model/records/ipc.ts";
import { left, markdownTable, right, type Table, tableOf } from "../../table.ts";
import { formatBytes, formatMegabytes, formatMillis, formatNanos, formatRatio } from "../../units.ts";
import { type RunView, viewOf } from "../../view.ts";
import { SIDE_NAMES } from "./verdicts.ts";

const SIDES: readonly Side[] = ["native", "typescript"];

/** The tables as blocks of Markdown; none where nothing was measured that they could stand beside. */
export function besideSections({ run, ipc }: ClaimsRecord): string[] {
  const tests = ipc?.tests.filter(({ status }) => status === "measured") ?? [];
  return [
    ...titled("### The address book, per list", run === undefined ? undefined : addressBook(viewOf(run))),
    ...titled("### Latency between processes", latencies(tests)),
    ...titled("### Dropped messages", losses(tests)),
  ];
}

function titled(title: string, table: Table | undefined): string[] {
  return table === undefined || table.rows.length === 0 ? [] : [title, markdownTable(table)];
}

interface ListRow {
  readonly system: string;
  readonly where: string;
  readonly bytes: string;
  readonly encode: string;
  readonly decode: string;
  readonly access: string;
}

/** Published decoding of formats that are read in place is access. */
function addressBook(view: RunView): Table | undefined {
  const { rows, machines, dataset } = PUBLISHED_ADDRESS_BOOK;
  const data = view.dataset(dataset);
  if (data === undefined) return undefined;
  const time = (operation: string, codec: string): string => {
    const cell = data.measured(operation, codec);
    return cell === undefined ? "–" : formatNanos(cell.nanos.median);
  };
  const all = rows.flatMap(({ system, bytes, encodeMs, decodeMs }): ListRow[] => {
    const published = machines.map((machine, at): ListRow => {
      const read = formatMillis(averageOf(decodeMs[at]!) / 1e6);
      const isInPlace = system !== "protobuf";
      return {
        system: SYSTEMS[system].title,
        where: `published, ${machine}`,
        bytes: formatBytes(bytes),
        encode: formatMillis(averageOf(encodeMs[at]!) / 1e6),
        decode: isInPlace ? "" : read,
        access: isInPlace ? read : "",
      };
    });
    const here = SIDES.flatMap((side): ListRow[] => {
      const codec = nameIn(data.cells, system, side);
      if (codec === undefined) return [];
      const encoded = data.measured("encode", codec)?.bytes;
      return [
        {
          system: SYSTEMS[system].title,
          where: `here, ${codec}`,
          bytes: encoded === undefined ? "–" : formatBytes(encoded),
          encode: time("encode", codec),
          decode: time("decode", codec),
          access: time("access", codec),
        },
      ];
    });
    return [...published, ...here];
  });
  return tableOf(all, [
    left("format", ({ system }) => system),
    left("where", ({ where }) => where),
    right("bytes", ({ bytes }) => bytes),
    right("encode", ({ encode }) => encode),
    right("decode", ({ decode }) => decode),
    right("access", ({ access }) => access),
  ]);
}

interface PairRow {
  readonly test: string;
  readonly where: string;
  readonly size: string;
  readonly capnp: string;
  readonly protobuf: string;
  readonly ratio: string;
}

function pairTable(rows: readonly PairRow[]): Table {
  return tableOf(rows, [
    left("test", ({ test }) => test),
    left("where", ({ where }) => where),
    right("message", ({ size }) => size),
    right("Cap'n Proto", ({ capnp }) => capnp),
    right("Protobuf", ({ protobuf }) => protobuf),
    right("ratio", ({ ratio }) => ratio),
  ]);
}

function latencies(tests: readonly IpcTestRecord[]): Table | undefined {
  const { megabytes, x86_64, aarch64 } = PUBLISHED_IPC.latency;
  const here = beside(tests, "latency", (test) => test.stages.endToEnd?.p50, formatNanos);
  if (here.length === 0) return undefined;
  const published = Object.entries({ x86_64, aarch64 }).map(
    ([machine, { capnpMs, protobufMs }]): PairRow => ({
      test: "latency",
      where: `published, ${machine}`,
      size: `${megabytes} MB`,
      capnp: formatMillis(capnpMs),
      protobuf: formatMillis(protobufMs),
      ratio: formatRatio(capnpMs / protobufMs),
    }),
  );
  return pairTable([...published, ...here]);
}

/** Of 100 messages, as was published; of those of all talkers and listeners here. */
function losses(tests: readonly IpcTestRecord[]): Table | undefined {
  const rows = PUBLISHED_IPC.fanOut.flatMap(({ test, megabytes, messages, capnp, protobuf }): PairRow[] => {
    const sized = tests.filter(
      ({ payloadBytes, reliability }) => payloadBytes === megabytes * 1e6 && reliability === "best-effort",
    );
    const here = beside(sized, test, lostOf, String);
    if (here.length === 0) return [];
    const published: PairRow = {
      test,
      where: "published",
      size: `${megabytes} MB`,
      capnp: `${capnp.dropped} of ${messages}`,
      protobuf: `${protobuf.dropped} of ${messages}`,
      ratio: "",
    };
    const of = (row: PairRow): string => ` of ${messagesOf(sized, row.test)}`;
    return [
      published,
      ...here.map((row) => ({
        ...row,
        capnp: row.capnp + of(row),
        protobuf: row.protobuf + of(row),
        ratio: "",
      })),
    ];
  });
  return rows.length === 0 ? undefined : pairTable(rows);
}

function lostOf({ pairs }: IpcTestRecord): number {
  return pairs.reduce((sum, { published, received }) => sum + published - received, 0);
}

function messagesOf(tests: readonly IpcTestRecord[], test: string): number {
  const one = tests.find((row) => row.test === test);
  return one?.pairs.reduce((sum, { published }) => sum + published, 0) ?? 0;
}

/** A row for each side and dataset on which both systems were measured. */
function beside(
  tests: readonly IpcTestRecord[],
  test: string,
  figureOf: (test: IpcTestRecord) => number | undefined,
  format: (figure: number) => string,
): PairRow[] {
  const own = tests.filter((row) => row.test === test);
  const figure = (side: Side, dataset: string, system: System): number | undefined => {
    const codec = nameIn(own, system, side);
    const row = own.find((one) => one.codec === codec && one.dataset === dataset);
    return row && figureOf(row);
  };
  return SIDES.flatMap((side) =>
    [...new Set(own.map(({ dataset }) => dataset))].flatMap((dataset): PairRow[] => {
      const [capnp, protobuf] = [figure(side, dataset, "capnp"), figure(side, dataset, "protobuf")];
      if (capnp === undefined || protobuf === undefined) return [];
      const { payloadBytes } = own.find((row) => row.dataset === dataset)!;
      return [
        {
          test,
          where: `here, ${SIDE_NAMES[side]}, ${dataset.split(":")[0]}`,
          size: formatMegabytes(payloadBytes),
          capnp: format(capnp),
          protobuf: format(protobuf),
          ratio: protobuf === 0 ? "" : formatRatio(capnp / protobuf),
        },
      ];
    }),
  );
}
