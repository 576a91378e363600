import { UsageError } from "../../../model/errors.ts";

/** Where a NATS server is, and what it is told to let somebody in. */
export interface NatsAddress {
  /** `nats://host:4222`, without a password: for errors and records. */
  readonly shown: string;
  /** `host:4222`. */
  readonly server: string;
  readonly login: { readonly user: string; readonly pass: string } | { readonly token: string } | undefined;
}

/** The port that NATS servers have unless they are told another. */
const STANDARD_PORT = "4222";

/**
 * Reads `nats://host:port`; `user:password@` or `token@` may stand before the host, and the port may be left out.
 * Throws UsageError.
 */
export function natsAddress(text: string): NatsAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isServer =
    url?.protocol === "nats:" &&
    url.hostname !== "" &&
    /^\/?$/.test(url.pathname) &&
    url.search + url.hash === "";
  if (!isServer)
    throw new UsageError(`expected the address of a server, as nats://host:4222, got ${hidden(text)}`);
  const server = `${url.hostname}:${url.port === "" ? STANDARD_PORT : url.port}`;
  return { shown: `nats://${server}`, server, login: loginOf(url) };
}

function loginOf({ username, password }: URL): NatsAddress["login"] {
  if (username === "") return undefined;
  const user = decoded(username);
  return password === "" ? { token: user } : { user, pass: decoded(password) };
}

/** What stands in an address for other characters, as `%40` for `@`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Text that may hold a password, for an error. */
function hidden(text: string): string {
  return JSON.stringify(text.replace(/^([a-z]*:\/\/)?.*@/i, "$1…@"));
}
