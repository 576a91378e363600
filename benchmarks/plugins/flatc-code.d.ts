/** What flatc makes of one schema: its classes and enums, by the names that it gave them. */
export type FlatcModule = Readonly<Record<string, FlatcClass>>;

/** A class of generated code, of which only its members' names are known. */
export interface FlatcClass {
  new (...fields: never[]): object;
  readonly prototype: object;
}

/** Compiles schemas with flatc, object API included and with more options, and loads the code that it makes for each. */
export function flatcCode(schemas: readonly string[], flags?: readonly string[]): Promise<FlatcModule[]>;

/** Makes a message of a value in JSON with flatc's own builder, which is that of C++. */
export function flatcBinary(schema: string, json: string): Promise<Uint8Array>;
