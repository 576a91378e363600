import type { DefaultText, Spot } from "./declarations.ts";
import { type Edition, type FeatureChoices, featureValues, isFeature } from "./features.ts";
import type { Cursor, Token } from "./tokens.ts";

/** An option as it is written. */
export interface Option {
  /** With dots between its parts, and parentheses around the names of extensions. */
  readonly name: string;
  readonly spot: Spot;
  readonly value: OptionValue;
}

type OptionValue =
  | DefaultText
  | { readonly kind: "aggregate"; readonly tokens: readonly Token[]; readonly spot: Spot };

/** The options of one declaration. Those that a schema does not depend on, custom ones among them, are read over. */
export class Options {
  readonly #cursor: Cursor;
  readonly #options: Option[] = [];

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  /** Reads a statement, behind its `option`. */
  statement(): void {
    this.#one();
    this.#cursor.expect(";");
  }

  /** Reads a list in brackets, where there is one. */
  list(): this {
    if (!this.#cursor.skip("[")) return this;
    do this.#one();
    while (this.#cursor.skip(","));
    this.#cursor.expect("]");
    return this;
  }

  /** A value that is no aggregate. */
  value(name: string): DefaultText | undefined {
    const value = this.#options.find((option) => option.name === name)?.value;
    if (value?.kind === "aggregate")
      throw this.#cursor.error(`option ${name}: an aggregate is no value of it`, value.spot);
    return value;
  }

  /** A Boolean value. */
  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (value.kind === "name" && (value.text === "true" || value.text === "false"))
      return value.text === "true";
    throw this.#cursor.error(`option ${name}: expected true or false, got ${value.text}`, value.spot);
  }

  /** A value that is text, of characters. */
  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (value.kind === "string") return Buffer.from(value.text, "latin1").toString();
    throw this.#cursor.error(`option ${name}: expected text in quotes, got ${value.text}`, value.spot);
  }

  /** The features that are chosen, one by one or as an aggregate: only editions have any. */
  features(edition: Edition): FeatureChoices {
    const choices: Record<string, string> = {};
    for (const { name, value, spot } of this.#options) {
      if (name !== "features" && !name.startsWith("features.")) continue;
      if (edition.startsWith("proto"))
        throw this.#cursor.error(`option ${name}: features are of editions`, spot);
      const chosen =
        value.kind === "aggregate"
          ? entriesOf(value.tokens)
          : [{ name: name.slice("features.".length), text: value.text }];
      for (const { name: feature, text } of chosen) {
        if (!isFeature(feature)) continue;
        const values = featureValues(feature);
        if (!values.includes(text)) {
          throw this.#cursor.error(
            `feature ${feature}: expected one of ${values.join(", ")}, got ${text}`,
            spot,
          );
        }
        choices[feature] = text;
      }
    }
    return choices;
  }

  #one(): void {
    const cursor = this.#cursor;
    const { line, column } = cursor.token;
    const parts: string[] = [];
    do {
      if (cursor.skip("(")) {
        parts.push(`(${cursor.path("an extension", "with a dot").name})`);
        cursor.expect(")");
      } else parts.push(cursor.name("an option").name);
    } while (cursor.skip("."));
    const name = parts.join(".");
    cursor.expect("=");
    if (["default", "json_name", "packed"].includes(name) && this.#options.some((one) => one.name === name)) {
      throw cursor.error(`option ${name} is set twice`, { line, column });
    }
    this.#options.push({ name, spot: { line, column }, value: this.#value() });
  }

  #value(): OptionValue {
    const cursor = this.#cursor;
    const { kind, text, line, column } = cursor.token;
    const spot = { line, column };
    if (text === "{") return { kind: "aggregate", tokens: this.#aggregate(), spot };
    if (kind === "string") return { kind, text: cursor.string("a value").name, spot };
    const sign = cursor.skip("-") ? "-" : "";
    const { token } = cursor;
    if (token.kind === "integer") return { kind: "integer", text: `${sign}${cursor.exactInteger()}`, spot };
    if (token.kind !== "name" && token.kind !== "float") throw cursor.unexpected("the value of an option");
    return { kind: token.kind, text: sign + cursor.next().text, spot };
  }

  /** What is between braces that fit, in protobuf's text format. */
  #aggregate(): Token[] {
    const cursor = this.#cursor;
    const tokens: Token[] = [];
    let depth = 0;
    do {
      if (cursor.token.kind === "end") throw cursor.unexpected('"}"');
      if (cursor.is("{")) depth += 1;
      else if (cursor.is("}")) depth -= 1;
      tokens.push(cursor.next());
    } while (depth > 0);
    return tokens.slice(1, -1);
  }
}

/** The fields of an aggregate that are names, as an enum's values are. */
function entriesOf(tokens: readonly Token[]): { readonly name: string; readonly text: string }[] {
  let depth = 0;
  return tokens.flatMap(({ kind, text }, index) => {
    if (text === "{") depth += 1;
    if (text === "}") depth -= 1;
    const [colon, value] = tokens.slice(index + 1, index + 3);
    const isEntry = depth === 0 && kind === "name" && colon?.text === ":" && value?.kind === "name";
    return isEntry ? [{ name: text, text: value.text }] : [];
  });
}
