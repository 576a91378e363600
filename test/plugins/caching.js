// A codec that keeps what it has made, in one way each. It would be the fastest of all.
import { compileVisitor, defineCodec, direct } from "wirebench";

const toBytes = (value) => Buffer.from(JSON.stringify(value));
const toValue = (bytes) => JSON.parse(bytes.toString());

function variant(summary, change) {
  return {
    summary,
    bind: ({ schema, values }) => {
      const visit = compileVisitor(schema);
      const { access, into, ...steps } = change(values, visit);
      const binding = direct({ write: toBytes, read: toValue, visit, ...steps });
      return { ...binding, ...(access && { access }), ...(into && { into }) };
    },
  };
}

/** A function that calls another once for each key, and gives what `out` makes of what is kept. */
function kept(make, { out = (result) => result, keyOf = (key) => key, store = new WeakMap() } = {}) {
  return (given) => {
    const key = keyOf(given);
    if (!store.has(key)) store.set(key, make(given));
    return out(store.get(key));
  };
}

const copy = (bytes) => Uint8Array.prototype.slice.call(bytes);
const text = (bytes) => bytes.toString("latin1");

export default defineCodec({
  format: "json",
  ...variant("keeps messages by their objects", () => ({ write: kept(toBytes) })),
  variants: {
    map: variant("keeps messages in a Map", () => ({ write: kept(toBytes, { store: new Map() }) })),
    copies: variant("gives copies of kept messages", () => ({ write: kept(toBytes, { out: copy }) })),
    views: variant("gives views of kept messages", () => ({
      write: kept(toBytes, { out: (bytes) => bytes.subarray() }),
    })),
    strings: variant("keeps messages that are strings", () => ({
      write: kept((value) => JSON.stringify(value)),
    })),
    elements: variant("keeps the message of each element", () => {
      const element = kept((person) => JSON.stringify(person));
      return { write: ({ info }) => Buffer.from(`{"info":[${info.map(element).join()}]}`) };
    }),
    ahead: variant("makes copies of messages that it has made beforehand", (values) => {
      const ready = new Map(values.map((value) => [value, toBytes(value)]));
      return { write: (value) => (ready.has(value) ? copy(ready.get(value)) : toBytes(value)) };
    }),
    into: variant("keeps messages, and copies them into the caller's memory", () => {
      const bytesOf = kept(toBytes);
      return { into: (value, memory) => memory.subarray(0, bytesOf(value).copy(memory)) };
    }),
    beside: variant("gives memory of its own in place of the caller's", () => ({ into: toBytes })),
    unwritten: variant("writes what the caller's memory does not have yet", () => ({
      into: (value, memory) => {
        const bytes = toBytes(value);
        if (memory[0] !== 0) bytes.copy(memory);
        return memory.subarray(0, bytes.length);
      },
    })),
    decoded: variant("keeps decoded values", () => ({ read: kept(toValue) })),
    "decoded-copies": variant("gives copies of kept decoded values", () => ({
      read: kept(toValue, { out: structuredClone }),
    })),
    "decoded-content": variant("keeps decoded values by the content of messages", () => ({
      read: kept(toValue, { keyOf: text, store: new Map() }),
    })),
    accessed: variant("keeps what access adds up", (_, visit) => ({
      access: kept((bytes) => visit(toValue(bytes))),
    })),
  },
});
