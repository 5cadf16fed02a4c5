// What goes over a connection to NATS, as data.

/** A message as it came. `status` is 0 unless the server itself says something. */
export interface Message {
  readonly subject: string
  readonly reply: string
  readonly bytes: Uint8Array
  readonly status: number
  readonly description: string
  /** The value under that key beside the bytes; empty if there is none. */
  header(key: string): string
}

/** A message of a stream. */
export interface Stored {
  readonly name: string
  readonly bytes: Uint8Array
  /** Its sequence in the stream. */
  readonly position: number
  /** Milliseconds since 1970 by the server's clock, rounded down. */
  readonly appendedAt: number
}

export interface PublishOptions {
  readonly reply?: string
  readonly header?: Readonly<Record<string, string>>
}

/** What waits for the end of the turn to go out. */
export interface Outgoing {
  readonly subject: string
  readonly bytes: Uint8Array | string
  readonly options: PublishOptions
}
