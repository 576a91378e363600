// Puts the tables of published runs into README.md, between their markers:
//
//   <!-- BEGIN: results/FOLDER/run.json -->  …  <!-- END -->     (doctor.json likewise)
//
// With --check nothing is written, and a table that is not what its record says is an error.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readAnyRecord, renderDoctorSummary, renderIpcSummary, renderSummary } from "wirebench";

const root = path.resolve(import.meta.dirname, "..");
const readme = path.join(root, "README.md");
const before = readFileSync(readme, "utf8");
let tables = 0;
const after = before.replace(/(<!-- BEGIN: (\S+) -->\n)[\s\S]*?(<!-- END -->)/g, (_, begin, file, end) => {
  tables += 1;
  const record = readAnyRecord(path.join(root, file));
  return `${begin}${summaryOf(record)}${end}`;
});
if (tables === 0) throw new Error("README.md has no markers");
if (!process.argv.includes("--check")) {
  writeFileSync(readme, after);
} else if (after !== before) {
  console.error("README.md: a table is not what its record says: run node scripts/update-readme.js");
  process.exitCode = 1;
}

function summaryOf(record) {
  if (record.kind === "doctor") return renderDoctorSummary(record);
  return record.kind === "ipc" ? renderIpcSummary(record) : renderSummary(record);
}
