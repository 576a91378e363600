/** A run as one page: a file that asks for nothing, with the record in it. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { shortenedRecord } from "../../analysis/shortened.ts";
import { ownFile } from "../../model/package-files.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { PAGE_RECORD } from "../../model/report.ts";
import type { Drawing } from "../chart/figure.ts";
import { picturesOf, type RunPicture, type StudySection } from "../picture.ts";
import { originLines } from "../provenance.ts";
import { counterLines } from "../sections/counters.ts";
import { answerSentences } from "../sections/run/answer.ts";
import { proofTable } from "../sections/run/bytes.ts";
import { timeSourceLines } from "../sections/run/clocks.ts";
import { mergedLines } from "../sections/run/machines.ts";
import { blindnessLines, noiseLines } from "../sections/run/noise.ts";
import { partialReads } from "../sections/run/reads-study.ts";
import { sizeStudies } from "../sections/run/size-study.ts";
import { studyTables } from "../sections/run/table-studies.ts";
import type { TitledTable } from "../table.ts";
import { viewOf } from "../view.ts";
import { datasetSection } from "./dataset.ts";
import { figure, fold, htmlPage, list, scrolled, tableElement } from "./document.ts";
import { type Html, h, raw, scriptJson } from "./html.ts";

/** Bytes that a page has at most, as long as there are pictures that it can do without. */
const MOST_BYTES = 300_000;

/** Bytes of a record as JSON up to which it stands in a page as it is. */
const MOST_JSON = 130_000;

/** The page of a run. */
export function renderPage(record: RunRecord): string {
  const pictures = picturesOf(record);
  const own = recordScript(record);
  // What is left out first is what comes last; the further tables come after all pictures.
  for (let shown = pictures.length, tables = true; ; ) {
    const text = pageText(
      record,
      { pictures: pictures.slice(0, shown), leftOut: pictures.length - shown, tables },
      own,
    );
    const over = Buffer.byteLength(text) - MOST_BYTES;
    if (over <= 0 || !tables) return text;
    if (shown === 0) tables = false;
    for (let freed = 0; shown > 0 && freed < over; ) freed += Buffer.byteLength(pictures[--shown]!.svg);
  }
}

/** The pictures of a section. */
type Drawn = (dataset: string, section: RunPicture["section"]) => readonly Html[];

/** How much of a report is in its page. */
interface Extent {
  readonly pictures: readonly (RunPicture & Drawing)[];
  /** How many pictures are not. */
  readonly leftOut: number;
  /** Whether tables are that only few ask for. */
  readonly tables: boolean;
}

function pageText(record: RunRecord, { pictures, leftOut, tables }: Extent, own: Html): string {
  const view = viewOf(record);
  const names = record.datasets.map(({ name }) => name).join(", ");
  const drawn: Drawn = (dataset, section) =>
    pictures.filter((one) => one.dataset === dataset && one.section === section).map(figure);
  const body = view.isProof
    ? [scrolled("what codecs carry", tableElement(proofTable(record)))]
    : [
        ...view.datasets.map((data, number) => datasetSection(data, number, drawn, tables)),
        ...[...sizeStudies(record), ...partialReads(record)].map((study) => studySection(study, drawn)),
        ...studyTables(record).map(studyTable),
        ...(leftOut === 0
          ? []
          : [
              h(
                "p",
                {},
                `To keep the page small, ${leftOut} pictures are left out${tables ? "" : ", and further tables"}: report.md has them.`,
              ),
            ]),
      ];
  const noise = [...timeSourceLines(record), ...noiseLines(record), ...counterLines(record)];
  return htmlPage({ title: `wirebench: ${names}`, script: pageScript(), data: [own] }, [
    h("h1", {}, "wirebench report"),
    blindnessLines(record).map((line) => h("p", { class: "warning" }, line)),
    answerSentences(record).map(({ subject, sentences }) => [
      h("p", {}, `${subject}:`),
      h(
        "dl",
        { class: "answer" },
        sentences.map(({ question, text }) => [h("dt", {}, question), h("dd", {}, text)]),
      ),
    ]),
    body,
    fold("Noise", list(noise)),
    fold(
      "Where it comes from",
      list([...originLines(record), ...mergedLines(record), `Libraries: ${view.libraries.join(", ")}`]),
    ),
  ]);
}

/** The record stands on a line of its own, where it is found again. */
function recordScript(record: RunRecord): Html {
  const json = scriptJson(shortenedRecord(record));
  if (json.length <= MOST_JSON) return h("script", { type: PAGE_RECORD.json, id: PAGE_RECORD.id }, raw(json));
  const packed = gzipSync(json, { level: 9 }).toString("base64");
  return h("script", { type: PAGE_RECORD.gzip, id: PAGE_RECORD.id }, raw(packed));
}

/** The script that `scripts/build.js` makes of `src/browser/`. */
function pageScript(): string {
  return readFileSync(ownFile("dist/page.js"), "utf8");
}

/** A table of a study without pictures. */
function studyTable({ title, table }: TitledTable): Html {
  return h("section", {}, h("h2", {}, title), scrolled(title, tableElement(table)));
}

/** What a study found. */
function studySection({ dataset, section, title, lines: said, tables }: StudySection, drawn: Drawn): Html {
  return h(
    "section",
    {},
    h("h2", {}, title),
    list(said),
    drawn(dataset, section),
    tables.map(({ title: words, table }) => [
      h("h3", {}, words),
      scrolled(`${title}: ${words}`, tableElement(table)),
    ]),
  );
}
