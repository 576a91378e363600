/** Text without the user and password of an address in it: `nats://host` of `nats://user:password@host`. */
export function withoutLogin(text: string): string {
  return text.replace(/(\b[a-z]+:\/\/)\S*@/gi, "$1");
}
