/** The command that was typed, quoted so that it can be pasted into a shell. */
export function commandLine(): string {
  return ["wirebench", ...process.argv.slice(2)].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
