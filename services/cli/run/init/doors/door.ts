// What `init --for` sets up: one way by which an agent comes to ask, so that it works at the end.
// Nothing that is there is replaced, and all of it is taken back by one command.
import type { Line } from '#cli/terminal/line'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import type { Starter, ToolWords } from '../starter.ts'

/** Where it is set up. */
export interface DoorPlace {
  /** The folder of the project. */
  readonly base: string
  readonly log: string
  /** The folder that the log lies in. */
  readonly home: string
  readonly words: ToolWords
  readonly options: GlobalOptions & SignerOptions
}

export interface DoorMade {
  /** What was made or changed, each with what it is for. */
  readonly made: readonly Line[]
  /** What keeps it from doing all that it is for. */
  readonly cautions: readonly string[]
  /** Commands without the program's name, or of others: what a person does next. */
  readonly next: readonly DoorStep[]
}

export type DoorStep = { readonly warrant: string } | { readonly shell: string }

export interface InitDoor {
  /** What the catalog has to have for it. */
  readonly starter: (words: ToolWords) => Promise<Starter>
  /** Whether it needs the shipped rules for commands and files. */
  readonly isHooked: boolean
  readonly open: (place: DoorPlace) => Promise<DoorMade>
  /** Takes back what `open` made, and gives it in lines. */
  readonly close: (place: DoorPlace) => Promise<readonly Line[]>
}
