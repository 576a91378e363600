/** What a measuring process says, read line by line. Its codec runs in the same process, and may write anything. */
import type { SentMessage, WorkerMessage } from "../../measure/job.ts";

/** Most characters of a line: the answer of all codecs together has a small part of it, and the longest message that is sent most of it. */
export const LINE_LIMIT = 256 * 1024 * 1024;

/** Characters of a wrong line that are shown. */
const SHOWN = 40;

/** What came is no message; the text is the reason, in a line. */
export class MessageError extends Error {}

/**
 * The messages of lines of JSON; what is left without an end is none. Throws {@link MessageError} for any other line.
 * @param members how many members an answer is about
 * @param limit characters of a line at most
 */
export async function* messagesIn(
  chunks: AsyncIterable<string>,
  members: number,
  limit = LINE_LIMIT,
): AsyncGenerator<WorkerMessage> {
  for await (const line of linesOf(chunks, limit)) yield messageOf(line, members);
}

/** Lines of text that comes in chunks; what is left without an end is none. Throws {@link MessageError} for one that is too long. */
export async function* linesOf(chunks: AsyncIterable<string>, limit: number): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const [first = "", ...others] = chunk.split("\n");
    parts.push(first);
    length += first.length;
    if (length > limit) throw wrong(`a line of ${limit} characters or fewer`, `${length} or more`);
    for (const next of others) {
      yield parts.join("");
      parts = [next];
      length = next.length;
    }
  }
}

function messageOf(line: string, members: number): WorkerMessage {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    // It is shown below.
  }
  if (isMessage(message, members)) return message;
  throw wrong("a message", JSON.stringify(line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line));
}

function wrong(expected: string, got: string): MessageError {
  return new MessageError(
    `file descriptor 3 is for its messages, and something else was written to it: expected ${expected}, got ${got}`,
  );
}

function isMessage(message: unknown, members: number): message is WorkerMessage {
  if (!isObject(message)) return false;
  if ("after" in message) return typeof message["after"] === "string";
  if ("timedAll" in message) return message["timedAll"] === true;
  if ("sent" in message) return isSent(message["sent"], members);
  const answer = message["timed"] ?? message["result"];
  if (!isObject(answer)) return false;
  const about = answer["members"];
  return Array.isArray(about) && about.length === members && about.every(isMember);
}

function isSent(message: unknown, members: number): message is SentMessage {
  if (!isObject(message)) return false;
  const { member, format, encoded } = message;
  return (
    Number.isInteger(member) &&
    (member as number) >= 0 &&
    (member as number) < members &&
    typeof format === "string" &&
    typeof encoded === "string"
  );
}

function isMember(member: unknown): boolean {
  return isObject(member) && Array.isArray(member["operations"]) && member["operations"].every(isOperation);
}

function isOperation(result: unknown): boolean {
  if (!isObject(result) || typeof result["operation"] !== "string") return false;
  return isObject(result["refused"]) || isObject(result["samples"]);
}

/** Whether a message, or what it holds, has fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
