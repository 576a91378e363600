/** What a page does beyond being read: sorts, filters, folds, copies, and reckons what a message takes on another link. */
import type { RunRecord } from "../model/records/run.ts";
import { datasetTable } from "./dataset-table.ts";
import { linkSlider } from "./link-slider.ts";
import { State } from "./state.ts";

const state = new State();
const sections = [...document.querySelectorAll<HTMLElement>("section[data-dataset]")];
for (const section of sections) datasetTable(section, state);
// Everything else works while the record is read.
void recordOfPage().then((record: RunRecord) => {
  for (const section of sections) linkSlider(section, record, state);
  state.apply();
  document.documentElement.dataset["ready"] = "yes";
});
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-print]")) {
  button.addEventListener("click", () => print());
}

/** The record in the page; a long one is compressed. */
async function recordOfPage(): Promise<RunRecord> {
  const { type, textContent } = document.getElementById("wirebench") as HTMLScriptElement;
  if (type === "application/json") return JSON.parse(textContent ?? "") as RunRecord;
  const bytes = Uint8Array.from(atob((textContent ?? "").trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as RunRecord;
}
