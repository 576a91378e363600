/** The rules that a file follows. */
export type Edition = "proto2" | "proto3" | "2023" | "2024";

/** The features that a schema depends on, and what each may be (protobuf.dev, "Feature Settings for Editions"). */
const FEATURES = {
  field_presence: ["EXPLICIT", "IMPLICIT", "LEGACY_REQUIRED"],
  enum_type: ["OPEN", "CLOSED"],
  repeated_field_encoding: ["PACKED", "EXPANDED"],
  message_encoding: ["LENGTH_PREFIXED", "DELIMITED"],
} as const;

/** Every feature that a schema depends on. */
export type Features = { readonly [F in keyof typeof FEATURES]: (typeof FEATURES)[F][number] };

/** The features that a declaration chooses; it has the others of what is around it. */
export type FeatureChoices = Partial<Features>;

/** What holds in a file that chooses nothing. */
export const EDITION_FEATURES: Readonly<Record<Edition, Features>> = {
  proto2: {
    field_presence: "EXPLICIT",
    enum_type: "CLOSED",
    repeated_field_encoding: "EXPANDED",
    message_encoding: "LENGTH_PREFIXED",
  },
  proto3: {
    field_presence: "IMPLICIT",
    enum_type: "OPEN",
    repeated_field_encoding: "PACKED",
    message_encoding: "LENGTH_PREFIXED",
  },
  "2023": {
    field_presence: "EXPLICIT",
    enum_type: "OPEN",
    repeated_field_encoding: "PACKED",
    message_encoding: "LENGTH_PREFIXED",
  },
  "2024": {
    field_presence: "EXPLICIT",
    enum_type: "OPEN",
    repeated_field_encoding: "PACKED",
    message_encoding: "LENGTH_PREFIXED",
  },
};

/** Whether a schema depends on the feature of a name; others, as `utf8_validation`, are read over. */
export function isFeature(name: string): name is keyof Features {
  return Object.hasOwn(FEATURES, name);
}

/** What a feature may be. */
export function featureValues(name: keyof Features): readonly string[] {
  return FEATURES[name];
}
