import { copied, visibleTable } from "./copy.ts";
import type { State } from "./state.ts";

/** Sorts, filters and folds the table of a dataset, as the state says. */
export function datasetTable(section: HTMLElement, state: State): void {
  const { dataset = "" } = section.dataset;
  const table = section.querySelector<HTMLTableElement>("table.codecs")!;
  const body = table.tBodies[0]!;
  const original = [...body.rows];
  const key = (name: string): string => `${name}${dataset}`;
  const headings = [...table.querySelectorAll<HTMLElement>("th[data-column]")];
  const groups = [...table.querySelectorAll<HTMLElement>("th[data-group]")];
  const traits = [...section.querySelectorAll<HTMLInputElement>("input[data-trait]")];
  const search = section.querySelector<HTMLInputElement>("input[type=search]")!;
  const count = section.querySelector<HTMLElement>("[data-count]")!;

  for (const heading of headings) {
    heading.querySelector("button")!.addEventListener("click", () => {
      const column = heading.dataset["column"]!;
      const [sorted, order] = (state.get(key("sort")) ?? "").split(".");
      const next = sorted !== column ? "up" : order === "up" ? "down" : undefined;
      state.set(key("sort"), next && `${column}.${next}`);
    });
  }
  for (const group of groups) {
    group.querySelector("button")?.addEventListener("click", () => {
      const name = group.dataset["group"]!;
      const toggled = new Set((state.get(key("groups")) ?? "").split(",").filter(Boolean));
      if (!toggled.delete(name)) toggled.add(name);
      state.set(key("groups"), toggled.size === 0 ? undefined : [...toggled].join(","));
    });
  }
  for (const trait of traits) {
    trait.addEventListener("change", () => {
      const chosen = traits.filter((one) => one.checked).map((one) => one.dataset["trait"]!);
      state.set(key("only"), chosen.length === 0 ? undefined : chosen.join(","));
    });
  }
  search.addEventListener("input", () => state.set(key("name"), search.value || undefined));
  for (const kind of ["markdown", "csv"] as const) {
    section.querySelector(`[data-copy=${kind}]`)!.addEventListener("click", () => {
      void copied(visibleTable(table, kind)).then((how) => {
        section.querySelector("[data-status]")!.textContent = how;
      });
    });
  }

  state.onChange(() => {
    const wanted = new Set((state.get(key("only")) ?? "").split(",").filter(Boolean));
    const name = state.get(key("name")) ?? "";
    for (const trait of traits) trait.checked = wanted.has(trait.dataset["trait"]!);
    if (search.value !== name) search.value = name;
    const shown = new Set<string>();
    for (const row of original) {
      const own = (row.dataset["traits"] ?? "").split(" ");
      const codec = row.dataset["codec"]!;
      row.hidden = !(
        [...wanted].every((one) => own.includes(one)) && codec.toLowerCase().includes(name.toLowerCase())
      );
      if (!row.hidden) shown.add(codec);
    }
    count.textContent = `${shown.size} of ${original.length} codecs`;
    for (const mark of section.querySelectorAll<SVGElement>("svg [data-codec]")) {
      mark.classList.toggle("off", !shown.has(mark.dataset["codec"]!));
    }
    for (const item of section.querySelectorAll<HTMLElement>(".bars [data-codec]")) {
      item.hidden = !shown.has(item.dataset["codec"]!);
    }
    fold(groups, table, new Set((state.get(key("groups")) ?? "").split(",")));
    sort(body, original, headings, state.get(key("sort")) ?? "");
  });
}

function fold(groups: readonly HTMLElement[], table: HTMLTableElement, toggled: ReadonlySet<string>): void {
  for (const group of groups) {
    const name = group.dataset["group"]!;
    const isOpen = (group.dataset["folded"] === undefined) !== toggled.has(name);
    const more = [...table.querySelectorAll<HTMLElement>(`[data-more="${name}"]`)];
    for (const cell of more) cell.hidden = !isOpen;
    const columns = Number(group.dataset["columns"]);
    group.setAttribute("colspan", String(isOpen ? columns : 1));
    group.querySelector("button")?.setAttribute("aria-expanded", String(isOpen));
  }
}

function sort(
  body: HTMLTableSectionElement,
  original: readonly HTMLTableRowElement[],
  headings: readonly HTMLElement[],
  sorting: string,
): void {
  const [column, order] = sorting.split(".");
  for (const heading of headings) {
    if (heading.dataset["column"] === column)
      heading.setAttribute("aria-sort", order === "down" ? "descending" : "ascending");
    else heading.removeAttribute("aria-sort");
  }
  const index = Number(column);
  const isKnown = column !== "" && headings[index] !== undefined;
  const rows = isKnown ? [...original].sort((a, b) => compared(a, b, index, order === "down")) : original;
  body.append(...rows);
}

/** What has no figure is last, however the others are sorted. */
function compared(a: HTMLTableRowElement, b: HTMLTableRowElement, index: number, isDown: boolean): number {
  const [one, other] = [a, b].map((row) => row.cells[index]!);
  const [left, right] = [one, other].map((cell) => cell!.dataset["value"]);
  const sign = isDown ? -1 : 1;
  if (left !== undefined && right !== undefined) return sign * (Number(left) - Number(right));
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
  const [words, others] = [one!.textContent ?? "", other!.textContent ?? ""];
  if (words === "" || others === "") return Number(words === "") - Number(others === "");
  return sign * words.localeCompare(others, "en");
}
