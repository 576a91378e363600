import { UsageError } from "../../model/errors.ts";

/** A channel's name, which is a part of a subject of NATS. Throws UsageError. */
export function expectChannel(name: string): string {
  if (/^[\w-]{1,64}$/.test(name)) return name;
  throw new UsageError(`--channel: expected up to 64 of A-Z, a-z, 0-9, _ and -, got ${JSON.stringify(name)}`);
}

/** The subject on which listeners wait for talkers. */
export function channelSubject(channel: string): string {
  return `wirebench.channel.${channel}`;
}

/** The subjects of one talker and its listener. */
export interface SessionSubjects {
  /** Control messages to either. */
  readonly talker: string;
  readonly listener: string;
  /** Messages of the measurement, and what the listener answers to each. */
  readonly frames: string;
  readonly acks: string;
}

/** @param session 32 hexadecimal digits that a talker has thrown dice for */
export function sessionSubjects(session: string): SessionSubjects {
  const base = `wirebench.session.${session}`;
  return {
    talker: `${base}.talker`,
    listener: `${base}.listener`,
    frames: `${base}.frames`,
    acks: `${base}.acks`,
  };
}
