/** The byte before each value, which says what it is (AMF 3 specification, January 2013, section 3.1). */
export const MARKER = {
  undefined: 0x00,
  null: 0x01,
  false: 0x02,
  true: 0x03,
  integer: 0x04,
  double: 0x05,
  string: 0x06,
  xmlDocument: 0x07,
  date: 0x08,
  array: 0x09,
  object: 0x0a,
  xml: 0x0b,
  byteArray: 0x0c,
  vectorInt: 0x0d,
  vectorUint: 0x0e,
  vectorDouble: 0x0f,
  vectorObject: 0x10,
  dictionary: 0x11,
} as const;

/** Least and greatest integer of 29 bits (section 3.6); what lies beyond is written as a double. */
export const MIN_INTEGER = -(2 ** 28);
export const MAX_INTEGER = 2 ** 28 - 1;

/** Greatest length of anything: 29 bits hold it and the flag that tells it from a reference. */
export const MAX_LENGTH = 2 ** 28 - 1;
