/**
 * Text without the user and password of an address in it: `nats://host` of `nats://user:password@host`. A password may hold
 * anything: of two addresses in a text, what is between them goes too.
 */
export function withoutLogin(text: string): string {
  return text.replace(/(\bnats:\/*|:\/\/).*@/is, "$1");
}
