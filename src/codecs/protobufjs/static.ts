import protobuf from "protobufjs";
import { compile, literal } from "../../model/generated-code.ts";

/** The two functions of a message's class that a program of pbjs's output calls. */
export interface StaticType {
  encode(message: object): protobuf.Writer;
  decode(bytes: Uint8Array): protobuf.Message;
}

interface StaticClass extends StaticType {
  readonly prototype: Record<string, unknown>;
}

/**
 * The source of what `pbjs -t static` prints for a root (protobufjs-cli 2.7.1, `targets/static.js`): the library's own generators
 * of encode and decode, with the paths of types and enums in place of their reflection.
 */
export function staticSource(root: protobuf.Root): string {
  const lines = root.nestedArray.map((one) => {
    if (one instanceof protobuf.Enum) return `$root.${one.name} = ${enumSource(one)};`;
    return one instanceof protobuf.Type ? typeSource(one) : "";
  });
  return lines.join("\n");
}

function enumSource({ values }: protobuf.Enum): string {
  const set = Object.entries(values).map(
    ([name, number]) => `values[valuesById[${number}] = ${literal(name)}] = ${number};`,
  );
  return `(function () { const valuesById = Object.create(null), values = Object.create(valuesById);
${set.join(" ")}
return values; })()`;
}

function typeSource(type: protobuf.Type): string {
  const { name, fieldsArray } = type;
  const lists = fieldsArray.flatMap((field) => {
    const empty = field.map ? "{}" : field.repeated ? "[]" : undefined;
    return empty === undefined ? [] : `this[${literal(field.name)}] = ${empty};`;
  });
  return `$root.${name} = (function () {
const ${name} = function (properties) { ${lists.join(" ")}
if (properties) for (let keys = Object.keys(properties), i = 0; i < keys.length; ++i)
if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]]; };
${name}.encode = ${withPaths(protobuf.encoder(type), type)};
${name}.decode = ${withPaths(protobuf.decoder(type), type)};
return ${name};
})();`;
}

/** A text, or what the generators say of a type. */
const TYPES =
  /"(?:[^"\\]|\\.)*"|(\bnew (?:C|this\.ctor)\b|\bnew types\[(\d+)\]\.ctor)|types\[(\d+)\](?:\.valuesById)?/g;

function withPaths(code: protobuf.Codegen, { name, fieldsArray }: protobuf.Type): string {
  return String(code).replace(TYPES, (found: string, made?: string, ofMade?: string, ofOther?: string) => {
    if (found.startsWith('"')) return found;
    const index = ofMade ?? ofOther;
    const type = index === undefined ? name : fieldsArray[Number(index)]?.resolvedType?.name;
    return made === undefined ? `$root.${type}` : `new $root.${type}()`;
  });
}

/** Makes the classes that pbjs prints for the root of a type. What absent fields read is as in the class of the type. */
export function staticType(type: protobuf.Type): StaticType {
  const { Reader, Writer, util } = protobuf;
  const source = `const $root = {};\n${staticSource(type.root)}\nreturn $root;`;
  const classes = compile<Readonly<Record<string, StaticClass>>>(source, { Reader, Writer, util });
  for (const one of type.root.nestedArray) {
    if (!(one instanceof protobuf.Type)) continue;
    const { prototype } = classes[one.name] as StaticClass;
    const defaults = one.ctor.prototype as unknown as Record<string, unknown>;
    for (const { name } of one.fieldsArray) prototype[name] = defaults[name];
    for (const { name, oneof } of one.oneofsArray) {
      const members = [...oneof];
      Object.defineProperty(prototype, name, {
        get: util.oneOfGetter(members),
        set: util.oneOfSetter(members),
      });
    }
  }
  return classes[type.name] as StaticClass;
}
