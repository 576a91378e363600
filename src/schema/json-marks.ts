/**
 * What a schema knows of its documents and a .proto file has no word for, as comments of lines of their own above a message
 * or a field. They let an inferred schema be printed, edited and read again:
 *
 *     // @json in place             a document has what the message's one set field holds
 *     // @json null "a" "b"         it has these keys with null only
 *     // @json text                 the text is the JSON text of what the document has
 *     // @json name "[a-z]"         its key, where protoc refuses that as a json_name: it has those of extensions in brackets
 */
import type { Field, MessageType } from "../model/schema.ts";

/** The lines above a message. */
export function messageMarks({ inPlace, nullKeys = [] }: MessageType): string[] {
  const keys = nullKeys.map((key) => ` ${JSON.stringify(key)}`).join("");
  return [...(inPlace === true ? ["@json in place"] : []), ...(keys === "" ? [] : [`@json null${keys}`])];
}

/** The lines above a field. */
export function fieldMarks({ jsonText, jsonName }: Field): string[] {
  return [
    ...(jsonText === true ? ["@json text"] : []),
    ...(jsonName !== undefined && isBracketed(jsonName) ? [`@json name ${JSON.stringify(jsonName)}`] : []),
  ];
}

/** Whether a key is one that no `json_name` may be. */
export function isBracketed(key: string): boolean {
  return key.startsWith("[") && key.endsWith("]");
}

/** What the comment above a message says. */
export function markedMessage(comment: string): Pick<MessageType, "inPlace" | "nullKeys"> {
  const keys = /^\s*@json null((?: "(?:[^"\\]|\\.)*")+)\s*$/m.exec(comment)?.[1];
  return {
    ...(/^\s*@json in place\s*$/m.test(comment) ? { inPlace: true } : {}),
    ...(keys === undefined ? {} : { nullKeys: keysOf(keys) }),
  };
}

/** What the comment above a field says. */
export function markedField(comment: string): Pick<Field, "jsonText" | "jsonName"> {
  const name = /^\s*@json name ("(?:[^"\\]|\\.)*")\s*$/m.exec(comment)?.[1];
  return {
    ...(/^\s*@json text\s*$/m.test(comment) ? { jsonText: true } : {}),
    ...(name === undefined ? {} : { jsonName: keysOf(name)[0]! }),
  };
}

/** Keys in quotes; one that is no JSON string stays as it is written. */
function keysOf(text: string): string[] {
  return (text.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map((quoted) => {
    try {
      return JSON.parse(quoted) as string;
    } catch {
      return quoted;
    }
  });
}
