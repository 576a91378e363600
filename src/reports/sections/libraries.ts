/** The table of libraries, and the sentences beneath it. */
import type { LibraryRow, LibraryTable } from "../../model/records/facts.ts";
import { type Column, left, right, type Table, tableOf } from "../table.ts";
import { formatBytes } from "../units.ts";

/** A row for each codec, with what its library takes on disk and on a page. */
export function librariesTable(facts: LibraryTable): Table {
  return tableOf(facts.rows, columnsOf(facts));
}

function columnsOf({ bundler }: LibraryTable): Column<LibraryRow>[] {
  const size =
    (part: "decode" | "both", unit: "minified" | "gzip") =>
    ({ bundle }: LibraryRow): string | undefined => {
      if (bundle === undefined) return undefined;
      return bundle.problem === undefined ? formatBytes(bundle[part][unit]) : "–";
    };
  return [
    left("codec", ({ codec }) => codec),
    left("library", ({ library, version }) => `${library} ${version}`),
    { ...right("installed", ({ install }) => install && formatBytes(install.bytes)), starts: true },
    right("packages", ({ install }) => install && String(install.packages)),
    right("scripts", ({ install }) => install && String(install.scripts.length)),
    left("licence", ({ install }) => install?.licence),
    left("released", ({ install }) => install?.released),
    left("no eval", ({ noEval }) => noEval && (noEval.works ? "works" : "fails")),
    ...(bundler === undefined
      ? []
      : [
          { ...right("decode", size("decode", "minified")), starts: true },
          right("gzip", size("decode", "gzip")),
          right("both", size("both", "minified")),
          right("gzip", size("both", "gzip")),
        ]),
  ];
}

/** How to read it, and what is missing with the reason. */
export function libraryNotes({ bundler, rows, refused }: LibraryTable): string[] {
  const scripts = new Set(rows.flatMap(({ install }) => install?.scripts ?? []));
  return [
    "installed: bytes of the files of a library and of what it depends on, as far as it is there",
    ...(scripts.size === 0 ? [] : [`scripts that npm runs: ${[...scripts].join(", ")}`]),
    bundler === undefined
      ? "bundle: esbuild is not installed: npm install esbuild"
      : `bundle: bytes that a page ships to decode, or for both ways, by ${bundler}, minified`,
    ...rows.flatMap(({ codec, noEval }) =>
      noEval?.why === undefined ? [] : [`${codec}: without eval: ${noEval.why}`],
    ),
    ...rows.flatMap(({ codec, bundle }) =>
      bundle?.problem === undefined ? [] : [`${codec}: no bundle: ${bundle.problem}`],
    ),
    ...Object.entries(refused).map(([codec, why]) => `${codec}: ${why}`),
  ];
}
