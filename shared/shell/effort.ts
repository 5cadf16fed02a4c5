// How much work a command is. What is short to write may be long to judge, such as a loop in loops.

import type { ShellTable } from './surroundings.ts'
import type { ReadShell } from './syntax.ts'

/** By what a command is judged. */
export interface JudgingShell {
  readonly read: ReadShell
  readonly table: ShellTable
  readonly effort?: Effort
}

/** What a simple command costs besides, and each of its arguments, however short. */
export const costs = { command: 100, argument: 20 }

/** Words of a command; it has no more. */
export const wordsMax = 1_000

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

  take(characters: number): void {
    this.#left -= characters
    if (this.#left < 0) throw new TooDear()
  }
}
