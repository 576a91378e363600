import { mapEntryName } from "../../layout/protobuf.ts";
import type {
  EnumDeclaration,
  EnumValue,
  FieldDeclaration,
  Import,
  MessageDeclaration,
  Name,
  OneofDeclaration,
  ProtoFile,
  Range,
} from "./declarations.ts";
import type { Edition } from "./features.ts";
import { Options } from "./options.ts";
import { Cursor } from "./tokens.ts";

/** Deepest nesting of messages: protoc has had limits of 32 and of 100. */
const MAX_DEPTH = 100;

/** Greatest numbers that `max` stands for. */
const [MAX_FIELD, MAX_ENUM] = [536_870_911, 2_147_483_647];

/** Reads the text of a .proto file (language specification). Throws SchemaError. */
export function parseProto(name: string, shown: string, text: string): ProtoFile {
  return new Parser(name, shown, text).file();
}

/** What a file or a message declares, as it grows. */
interface Body {
  readonly messages: MessageDeclaration[];
  readonly enums: EnumDeclaration[];
  readonly extensions: FieldDeclaration[];
}

/** A message as it grows. */
interface MessageBody extends Body {
  readonly fields: FieldDeclaration[];
  readonly oneofs: OneofDeclaration[];
  readonly extensionRanges: Range[];
  readonly reserved: { readonly ranges: Range[]; readonly names: Name[] };
}

/** Where a field may stand. */
interface FieldPlace {
  readonly body: Body;
  readonly extendee?: Name;
  /** Index of the oneof around it. */
  readonly oneof?: number;
  /** Set in a message and in its oneofs. */
  readonly message?: MessageBody;
  readonly depth: number;
}

class Parser {
  readonly #cursor: Cursor;
  readonly #name: string;
  readonly #shown: string;
  #edition: Edition = "proto2";

  constructor(name: string, shown: string, text: string) {
    this.#cursor = new Cursor(shown, text);
    this.#name = name;
    this.#shown = shown;
  }

  file(): ProtoFile {
    const cursor = this.#cursor;
    this.#syntax();
    const body: Body = { messages: [], enums: [], extensions: [] };
    const imports: Import[] = [];
    const options = new Options(cursor);
    let name: string | undefined;
    while (cursor.token.kind !== "end") {
      if (cursor.skip(";")) continue;
      if (cursor.skip("import")) imports.push(this.#import());
      else if (cursor.skip("option")) options.statement();
      else if (cursor.is("package")) {
        if (name !== undefined) throw cursor.error("a second package");
        cursor.next();
        name = cursor.path("a package", "without a dot").name;
        cursor.expect(";");
      } else if (cursor.skip("service")) this.#service();
      else if (!this.#declaration(body, 1)) throw cursor.unexpected('"message" or another declaration');
    }
    return {
      name: this.#name,
      shown: this.#shown,
      package: name ?? "",
      edition: this.#edition,
      features: options.features(this.#edition),
      imports,
      ...body,
    };
  }

  #syntax(): void {
    const cursor = this.#cursor;
    const { text: word } = cursor.token;
    if (cursor.token.kind !== "name" || (word !== "syntax" && word !== "edition")) return;
    cursor.next();
    cursor.expect("=");
    const { name, spot } = cursor.string(`${word === "syntax" ? "a syntax" : "an edition"} in quotes`);
    const known: readonly string[] = word === "syntax" ? ["proto2", "proto3"] : ["2023", "2024"];
    if (!known.includes(name)) {
      throw cursor.error(
        `${word} ${JSON.stringify(name)} is not known, expected one of ${known.join(", ")}`,
        spot,
      );
    }
    this.#edition = name as Edition;
    cursor.expect(";");
  }

  #import(): Import {
    const cursor = this.#cursor;
    const isPublic = cursor.skip("public");
    // What is imported weakly or for its options is an import like any other here.
    if (!isPublic && !cursor.skip("weak")) cursor.skip("option");
    const imported = cursor.string("the name of a file in quotes");
    cursor.expect(";");
    return { ...imported, isPublic };
  }

  /** Reads what may stand in a file and in a message; false where there is none of it. */
  #declaration(body: Body, depth: number): boolean {
    const cursor = this.#cursor;
    const isExported = this.#edition === "2024" && (cursor.is("export") || cursor.is("local"));
    if (isExported && ["message", "enum"].includes(cursor.following.text)) cursor.next();
    const { above } = cursor.token;
    if (cursor.skip("message"))
      body.messages.push({ ...this.#message(cursor.name("a message"), depth), above });
    else if (cursor.skip("enum")) body.enums.push(this.#enum());
    else if (cursor.skip("extend")) {
      const extendee = cursor.path("the message that is extended", "with a dot");
      this.#block(() => this.#field({ body, extendee, depth }));
    } else return false;
    return true;
  }

  /** Reads statements between braces; those that are only a semicolon by itself. */
  #block(statement: () => void): void {
    const cursor = this.#cursor;
    cursor.expect("{");
    while (!cursor.skip("}")) {
      if (cursor.token.kind === "end") throw cursor.unexpected('"}"');
      if (!cursor.skip(";")) statement();
    }
  }

  #message(name: Name, depth: number): MessageDeclaration {
    const cursor = this.#cursor;
    if (depth > MAX_DEPTH) throw cursor.error(`messages nested deeper than ${MAX_DEPTH}`, name.spot);
    const options = new Options(cursor);
    const body: MessageBody = {
      fields: [],
      extensions: [],
      messages: [],
      enums: [],
      oneofs: [],
      extensionRanges: [],
      reserved: { ranges: [], names: [] },
    };
    this.#block(() => {
      if (this.#declaration(body, depth + 1)) return;
      if (cursor.skip("option")) options.statement();
      else if (cursor.skip("reserved")) this.#reserved(body.reserved, MAX_FIELD);
      else if (cursor.skip("extensions")) this.#extensions(body);
      else if (cursor.skip("oneof")) this.#oneof(body, depth);
      else this.#field({ body, message: body, depth });
    });
    if (options.flag("map_entry") === true)
      throw cursor.error(`${name.name}: map_entry is not set by hand`, name.spot);
    return {
      ...name,
      ...body,
      features: options.features(this.#edition),
      isMapEntry: false,
      isMessageSet: options.flag("message_set_wire_format") === true,
    };
  }

  #oneof(message: MessageBody, depth: number): void {
    const cursor = this.#cursor;
    const name = cursor.name("a oneof");
    const options = new Options(cursor);
    const oneof = message.oneofs.length;
    this.#block(() => {
      if (cursor.skip("option")) options.statement();
      else this.#field({ body: message, message, oneof, depth });
    });
    // What it chooses may stand behind its fields, none of which has a oneof of its own.
    message.oneofs.push({ ...name, features: options.features(this.#edition), isSynthetic: false });
  }

  #field(place: FieldPlace): void {
    const { body, message, extendee, oneof, depth } = place;
    const cursor = this.#cursor;
    const { above } = cursor.token;
    const label = this.#label(place);
    const type = cursor.is("map") && cursor.following.text === "<" ? undefined : this.#type();
    if (type === undefined) {
      this.#map(place, label, above);
      return;
    }
    const isGroup = type.name === "group" && cursor.token.kind === "name";
    const name = cursor.name("a field");
    cursor.expect("=");
    const { value: number, spot: numberSpot } = cursor.integer("the number of a field");
    const options = new Options(cursor).list();
    if (isGroup) {
      this.#checkGroup(name);
      body.messages.push(this.#message(name, depth + 1));
    } else cursor.expect(";");
    if (label === undefined && oneof === undefined && this.#edition === "proto2") {
      throw cursor.error(`${name.name}: expected required, optional or repeated in front of it`, type.spot);
    }
    const field: FieldDeclaration = {
      name: isGroup ? name.name.toLowerCase() : name.name,
      spot: name.spot,
      number,
      numberSpot,
      label,
      type: isGroup ? name : type,
      isGroup,
      extendee,
      oneof: oneof ?? (message === undefined ? undefined : this.#madeUpOneof(message, name, label)),
      default: options.value("default"),
      jsonName: options.text("json_name"),
      packed: options.flag("packed"),
      features: options.features(this.#edition),
      above,
    };
    if (message === undefined) body.extensions.push(field);
    else message.fields.push(field);
  }

  /** The label in front of a field, where there is one. */
  #label({ oneof }: FieldPlace): FieldDeclaration["label"] {
    const cursor = this.#cursor;
    const label = (["optional", "required", "repeated"] as const).find((word) => cursor.is(word));
    if (label === undefined) return undefined;
    const refused =
      oneof !== undefined
        ? "a field of a oneof has no label"
        : label === "required" && this.#edition !== "proto2"
          ? "required fields are proto2's"
          : label === "optional" && this.#edition.startsWith("2")
            ? "a field of an edition is optional without a label"
            : undefined;
    if (refused !== undefined) throw cursor.error(refused);
    cursor.next();
    return label;
  }

  #type(): Name {
    return this.#cursor.path("a type", "with a dot");
  }

  #checkGroup(name: Name): void {
    if (!/^[A-Z]/.test(name.name)) {
      throw this.#cursor.error(`group ${name.name}: its name must begin with a capital letter`, name.spot);
    }
    if (this.#edition !== "proto2") {
      throw this.#cursor.error(`group ${name.name}: groups are proto2's`, name.spot);
    }
  }

  /** An `optional` of proto3 is alone in a oneof. */
  #madeUpOneof(
    message: MessageBody,
    { name, spot }: Name,
    label: FieldDeclaration["label"],
  ): number | undefined {
    if (label !== "optional" || this.#edition !== "proto3") return undefined;
    return message.oneofs.push({ name: `_${name}`, spot, features: {}, isSynthetic: true }) - 1;
  }

  #map(
    { body, message, oneof }: FieldPlace,
    label: FieldDeclaration["label"],
    above: string | undefined,
  ): void {
    const cursor = this.#cursor;
    if (message === undefined || oneof !== undefined || label !== undefined) {
      throw cursor.error("a map has no label, and is no extension and in no oneof");
    }
    cursor.next();
    cursor.expect("<");
    const key = this.#type();
    cursor.expect(",");
    const value = this.#type();
    cursor.expect(">");
    const name = cursor.name("a field");
    cursor.expect("=");
    const { value: number, spot: numberSpot } = cursor.integer("the number of a field");
    const options = new Options(cursor).list();
    cursor.expect(";");
    const entry = { name: mapEntryName(name.name), spot: name.spot };
    body.messages.push(mapEntry(entry, key, value));
    message.fields.push({
      ...bareField(name, number, entry),
      numberSpot,
      label: "repeated",
      default: options.value("default"),
      jsonName: options.text("json_name"),
      packed: options.flag("packed"),
      features: options.features(this.#edition),
      above,
    });
  }

  #extensions(message: MessageBody): void {
    do message.extensionRanges.push(this.#range(MAX_FIELD, false));
    while (this.#cursor.skip(","));
    new Options(this.#cursor).list();
    this.#cursor.expect(";");
  }

  #reserved({ names, ranges }: MessageBody["reserved"], max: number): void {
    const cursor = this.#cursor;
    const { kind } = cursor.token;
    const isNamed = kind === "string" || (kind === "name" && this.#edition.startsWith("2"));
    do {
      if (!isNamed) ranges.push(this.#range(max, max === MAX_ENUM));
      else
        names.push(kind === "string" ? cursor.string("a name in quotes") : cursor.name("what is reserved"));
    } while (cursor.skip(","));
    cursor.expect(";");
  }

  #range(max: number, signed: boolean): Range {
    const cursor = this.#cursor;
    const { value: from, spot } = cursor.integer("a number", signed);
    let to = from;
    if (cursor.skip("to")) to = cursor.skip("max") ? max : cursor.integer("a number or max", signed).value;
    if (to < from) throw cursor.error(`numbers ${from} to ${to}: the last is less than the first`, spot);
    return { from, to, spot };
  }

  #enum(): EnumDeclaration {
    const cursor = this.#cursor;
    const name = cursor.name("an enum");
    const options = new Options(cursor);
    const values: EnumValue[] = [];
    const reserved: MessageBody["reserved"] = { ranges: [], names: [] };
    this.#block(() => {
      if (cursor.skip("option")) options.statement();
      else if (cursor.skip("reserved")) this.#reserved(reserved, MAX_ENUM);
      else {
        const value = cursor.name("a value");
        cursor.expect("=");
        const { value: number, spot: numberSpot } = cursor.integer("the number of a value", true);
        new Options(cursor).list();
        cursor.expect(";");
        values.push({ ...value, number, numberSpot });
      }
    });
    const allowsAlias = options.flag("allow_alias") === true;
    return { ...name, features: options.features(this.#edition), values, reserved, allowsAlias };
  }

  /** A service is read over: no value is of one. */
  #service(): void {
    const cursor = this.#cursor;
    cursor.name("a service");
    const options = new Options(cursor);
    this.#block(() => {
      if (cursor.skip("option")) {
        options.statement();
        return;
      }
      cursor.expect("rpc");
      cursor.name("a method");
      this.#methodType();
      cursor.expect("returns");
      this.#methodType();
      if (cursor.skip(";")) return;
      this.#block(() => {
        cursor.expect("option");
        options.statement();
      });
    });
  }

  #methodType(): void {
    const cursor = this.#cursor;
    cursor.expect("(");
    cursor.skip("stream");
    this.#type();
    cursor.expect(")");
  }
}

/** A field of which nothing but its type is said. */
function bareField(name: Name, number: number, type: Name): FieldDeclaration {
  return {
    ...name,
    number,
    numberSpot: name.spot,
    label: "optional",
    type,
    isGroup: false,
    extendee: undefined,
    oneof: undefined,
    default: undefined,
    jsonName: undefined,
    packed: undefined,
    features: {},
  };
}

function mapEntry(entry: Name, key: Name, value: Name): MessageDeclaration {
  return {
    ...entry,
    features: {},
    fields: [
      bareField({ name: "key", spot: key.spot }, 1, key),
      bareField({ name: "value", spot: value.spot }, 2, value),
    ],
    extensions: [],
    messages: [],
    enums: [],
    oneofs: [],
    extensionRanges: [],
    reserved: { ranges: [], names: [] },
    isMapEntry: true,
    isMessageSet: false,
  };
}
