/** The fields of each line of a CSV text, by the grammar of RFC 4180. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const match = field.exec(text);
    if (match === null) throw new Error(`no field at ${at}: ${text.slice(at, at + 40)}`);
    const [, quoted, bare = "", end] = match;
    row.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === "\r\n") {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
