import type { IpcRemoteRecord } from "../../model/records/ipc-remote.ts";
import { defineReport } from "../../model/report.ts";
import { bulletList, inlineCode } from "../escape.ts";
import { remoteHead, remoteKey, remoteTable } from "../sections/ipc-remote.ts";
import { markdownTable } from "../table.ts";

export default defineReport({
  of: "ipc-remote",
  summary: "the whole report, as report.md has it",
  render: renderRemoteMarkdown,
});

/** Messages between two machines as Markdown, with what was run and when. */
export function renderRemoteMarkdown(record: IpcRemoteRecord): string {
  const { tool, startedAt, reason } = record;
  const head = [
    `Command: ${inlineCode(tool.command)}`,
    `Date: ${startedAt}`,
    ...remoteHead(record),
    ...(reason === undefined ? [] : [`not complete: ${reason}`]),
  ];
  const parts = [
    "# wirebench report: between two machines",
    ...bulletList(head),
    markdownTable(remoteTable(record)),
    remoteKey(record),
  ];
  return `${parts.join("\n\n")}\n`;
}
