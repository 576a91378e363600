/** What a verifier insists on, and where it stops. */
export interface VerifyOptions {
  /** Tables nested in each other, the root counted; 64 by default, as in flatbuffers/verifier.h. */
  readonly maxDepth?: number;
  /**
   * Tables that are met, one that is shared as often as it is referred to. By default 1,000,000, as in
   * flatbuffers/verifier.h, or as many as a message of its length has room for side by side if that is more.
   */
  readonly maxTables?: number;
  /**
   * Bytes of memory that the message may take once it is decoded to plain objects, by estimate; 16 MiB and 64
   * times its length by default. One table or string may be referred to many times, so that a message can be
   * far larger than it looks.
   */
  readonly maxMemory?: number;
  /** The four characters after the root's offset that tell what the message is. */
  readonly identifier?: string;
  /**
   * Accepts what a newer or a careless program may have written: fields that the shape does not know, and
   * bytes that belong to nothing. Refused by default, because damage can look the same.
   */
  readonly lenient?: boolean;
}
