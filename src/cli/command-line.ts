import { withoutLogin } from "../model/without-login.ts";

/** The command that was typed, quoted so that it can be pasted into a shell, without a password in an address. */
export function commandLine(): string {
  return ["wirebench", ...process.argv.slice(2)].map((word) => quoted(withoutLogin(word))).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
