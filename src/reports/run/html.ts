import { defineReport } from "../../model/report.ts";
import { renderPage } from "../page/page.ts";

export default defineReport({
  of: "run",
  summary: "the whole report as one page, as report.html has it, with the record in it",
  render: (record) => renderPage(record),
});
