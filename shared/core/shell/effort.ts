// How much work a command is. What is short to write may be long to judge, such as a loop in a loop.

/** Thrown where a command is too much to be judged: it is asked about. */
export class TooMuch extends Error {}

/** Thrown where it is more work than was allowed here: another place may judge it. */
export class TooDear extends Error {}

/** What one call may cost: in characters that are read, put together or looked at. */
export class Effort {
  #left: number

  constructor(characters: number) {
    this.#left = characters
  }

  spend(characters: number): void {
    this.#left -= characters
    if (this.#left < 0) throw new TooDear()
  }
}
