// The lines in what a program writes, as they end; no more is kept than one message may be.

/** The largest message of a server, in bytes; what is larger ends its session. */
export const messageBytesMax = 64 * 1024 * 1024

export class LineBuffer {
  #open = Buffer.alloc(0)

  /** Throws where more was written than a message may be. */
  append(chunk: Buffer): void {
    this.#open = Buffer.concat([this.#open, chunk])
    if (this.#open.length > messageBytesMax) throw new Error('a message is larger than may be')
  }

  /** Null where none has ended. */
  next(): string | null {
    const end = this.#open.indexOf('\n')
    if (end === -1) return null
    const line = this.#open.subarray(0, end).toString('utf8')
    this.#open = this.#open.subarray(end + 1)
    return line
  }
}
