/** Deepest nesting of messages in a value; protobuf's own libraries stop at 100 (protobuf.dev, "Proto Limits"). */
export const MAX_DEPTH = 100;
