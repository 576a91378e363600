import { readFileSync } from "node:fs";
import path from "node:path";

const PROGRAM = readFileSync(path.join(import.meta.dirname, "../../dist/page.js"), "utf8");

/** A report without the program of a page, in which words such as undefined are code. All else is kept, its data too. */
export function withoutProgram(report: string): string {
  return report.replace(`<script>${PROGRAM}</script>`, () => "");
}
