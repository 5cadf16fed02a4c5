// What is wrong with a part of a condition, found while walking it.

export class Misuse extends Error {
  /** Its id in the expression. */
  readonly part: bigint

  constructor(part: bigint, message: string) {
    super(message)
    this.part = part
  }
}
