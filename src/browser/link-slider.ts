import { choiceName } from "../analysis/link/choices.ts";
import { DEFAULT_BANDWIDTH, linkCosts } from "../analysis/link/costs.ts";
import type { RunRecord } from "../model/records/run.ts";
import { counted, formatBandwidth, formatNanos } from "../reports/units.ts";
import type { State } from "./state.ts";

/** Shows what each codec's message takes on the link that is chosen, by the function that made the report. */
export function linkSlider(section: HTMLElement, record: RunRecord, state: State): void {
  const slider = section.querySelector<HTMLInputElement>("input[type=range]");
  if (slider === null) return;
  const { dataset = "" } = section.dataset;
  const name = record.datasets[Number(dataset)]!.name;
  const key = `link${dataset}`;
  const usual = String(Math.log10(DEFAULT_BANDWIDTH));
  slider.addEventListener("input", () => state.set(key, slider.value === usual ? undefined : slider.value));

  state.onChange(() => {
    const chosen = state.get(key) ?? usual;
    if (slider.value !== chosen) slider.value = chosen;
    const bandwidth = Number((10 ** Number(slider.value)).toPrecision(3));
    const [costs] = linkCosts(record, name, [bandwidth]);
    if (costs === undefined) return;
    const { best, winner, level } = costs;
    const said = formatBandwidth(bandwidth);
    slider.setAttribute("aria-valuetext", said);
    section.querySelector("[data-bandwidth]")!.textContent = said;
    const others = level.length === 0 ? "" : `; not told apart from it: ${level.join(", ")}`;
    section.querySelector("[data-winner]")!.textContent =
      `${choiceName(winner.choice)}: ${formatNanos(winner.nanos)}, ${counted(winner.choice.bytes, "byte")}${others}`;
    for (const row of section.querySelectorAll<HTMLTableRowElement>("table.codecs tbody tr")) {
      const cost = best.find(({ choice }) => choice.codec === row.dataset["codec"]);
      const cell = row.querySelector<HTMLElement>("td[data-link]");
      if (cost === undefined || cell === null) continue;
      cell.textContent = formatNanos(cost.nanos);
      cell.dataset["value"] = String(cost.nanos);
    }
    const most = Math.max(...best.map(({ nanos }) => nanos));
    const list = section.querySelector(".bars")!;
    const hidden = new Set(
      [...section.querySelectorAll<HTMLTableRowElement>("table.codecs tbody tr")]
        .filter((row) => row.hidden)
        .map((row) => row.dataset["codec"]),
    );
    list.replaceChildren(
      ...[...best]
        .sort((a, b) => a.nanos - b.nanos)
        .map(({ choice, nanos }) => {
          const item = document.createElement("li");
          item.dataset["codec"] = choice.codec;
          item.hidden = hidden.has(choice.codec);
          const [words, bar, time] = [
            document.createElement("span"),
            document.createElement("progress"),
            document.createElement("span"),
          ];
          const isLevel = choice.codec !== winner.choice.codec && level.includes(choice.codec);
          item.classList.toggle("best", choice === winner.choice);
          words.textContent = choiceName(choice);
          bar.max = 1;
          bar.value = nanos / most;
          bar.setAttribute("aria-label", `${choice.codec}: share of the longest time`);
          time.textContent = `${formatNanos(nanos)}${isLevel ? " ~" : ""}`;
          item.append(words, bar, time);
          return item;
        }),
    );
  });
}
