/** XML as text. It is never parsed here: what it refers to is not fetched, and what it defines not expanded. */
export class Xml {
  readonly text: string;
  /** Whether it is of the older class `flash.xml.XMLDocument` (section 3.9) and not of E4X's `XML` (3.13). */
  readonly legacy: boolean;

  constructor(text: string, options: { readonly legacy?: boolean } = {}) {
    this.text = text;
    this.legacy = options.legacy ?? false;
  }
}
