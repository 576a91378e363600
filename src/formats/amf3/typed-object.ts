/** What the objects of one class have in common: its name and its sealed members (section 3.12). */
export class Traits {
  /** The alias under which both sides know the class, as in `org.acme.User`; not empty. */
  readonly className: string;
  /** Names of the members that every object has, in the order in which their values are written. */
  readonly sealed: readonly string[];
  /** Whether an object may have more members than the sealed ones. */
  readonly dynamic: boolean;

  constructor(
    className: string,
    sealed: readonly string[] = [],
    options: { readonly dynamic?: boolean } = {},
  ) {
    this.className = className;
    this.sealed = [...sealed];
    this.dynamic = options.dynamic ?? false;
  }
}

/**
 * An object of a class. Objects that share one {@link Traits}, and not only an equal one, share its description in
 * the bytes too.
 */
export class TypedObject {
  readonly traits: Traits;
  /** Sealed members first, dynamic ones after them. */
  readonly members: Record<string, unknown>;

  constructor(traits: Traits, members: Record<string, unknown> = {}) {
    this.traits = traits;
    this.members = members;
  }
}
