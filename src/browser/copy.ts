/** What is shown of a table, as text for another document. */
export function visibleTable(table: HTMLTableElement, kind: "markdown" | "csv"): string {
  const heading = table.tHead!.rows[1]!;
  const columns = [...heading.cells]
    .map((cell, index) => ({ cell, index }))
    .filter(({ cell }) => !cell.hidden);
  const names = columns.map(({ cell }) => cell.dataset["name"] ?? cell.textContent ?? "");
  const rows = [...table.tBodies[0]!.rows]
    .filter((row) => !row.hidden)
    .map((row) => columns.map(({ index }) => row.cells[index]!));
  if (kind === "csv") {
    const figures = rows.map((cells) => cells.map((cell) => cell.dataset["value"] ?? textOf(cell)));
    return [names, ...figures].map((line) => `${line.map(csvField).join(",")}\r\n`).join("");
  }
  const rule = columns.map(({ cell }) => (cell.classList.contains("l") ? "---" : "--:"));
  const lines = [names, rule, ...rows.map((cells) => cells.map(textOf))];
  return lines
    .map((line) => `| ${line.map((field) => field.replaceAll("|", "\\|")).join(" | ")} |\n`)
    .join("");
}

function textOf(cell: HTMLElement): string {
  return (cell.textContent ?? "").trim();
}

function csvField(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** Copies text, and says how that went. A page from a file may lack the clipboard of secure pages. */
export async function copied(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied ? "copied" : "this browser does not let pages copy";
  }
}
