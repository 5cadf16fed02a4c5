// One command as it is called: what it does by its table, and what the walk offers to judge it.
import type { PathRole, ShellEntry } from '#schemas/shell/table'
import type { Located, Root } from '../place.ts'
import type { Scope } from '../scope.ts'
import type { ShellTable } from '../surroundings.ts'
import type { ShellScript } from '../syntax.ts'

/** What a command does as it is called. */
export interface Acting {
  readonly is?: string | undefined
  readonly here?: PathRole | undefined
  readonly bare?: PathRole | undefined
  readonly args?: string | undefined
  readonly lists?: true | undefined
  readonly filters?: true | undefined
  readonly alone?: string | undefined
  readonly runsInput?: true | undefined
  readonly feeds?: true | undefined
  readonly counts?: true | undefined
}

export interface Printed {
  readonly entry: ShellEntry
  readonly act: Acting
  readonly words: readonly string[]
  readonly fields: readonly string[]
  /** Whether a path stands among the arguments. */
  readonly reads: boolean
  /** Of one that lists: the paths that it prints. */
  readonly listed: readonly string[]
}

/**
 * It names a program of the guard; it ends what is not known; what it runs does not run here; what
 * it reads or writes outside is the person's own, or is not.
 */
export type Noted = 'guard_named' | 'unknown_ended' | 'elsewhere' | 'outside_own' | 'outside_other'

/** One command that runs, and what the walk offers it. */
export interface ShellCall {
  readonly fields: readonly string[]
  readonly table: ShellTable
  readonly root: Root
  readonly scope: Scope
  /** In how many other commands it stands. */
  readonly depth: number
  /** What stands for an item of the input. */
  readonly holder: string | null
  /** The folders in which it works. */
  folders: readonly Located[]
  /** Where the links that the line makes lead to. */
  readonly links: Map<string, Located>
  /** What is known to be the person's own is stated with it. */
  readonly add: (concept: string, whose?: 'own') => void
  /** Says of the command what only counts together with others. */
  readonly note: (one: Noted) => void
  /** A secret is in its own arguments, and so is read. */
  readonly holdSecret: () => void
  readonly enter: (folder: string) => void
  readonly runCommand: (fields: readonly string[]) => void
  readonly runScript: (source: string) => void
  readonly runFunction: (bodies: readonly ShellScript[]) => void
  /** At a time when nothing is known of where it stands. */
  readonly runLater: (source: string) => void
  /** The paths whose names it reads; empty for another input. */
  readonly named: () => readonly string[]
  /** What it reads, if that is known. */
  readonly input: () => string | null
  readonly isLoose: boolean
  /** The items of its input, for the command that it runs. */
  readonly fed: (command: readonly string[]) => readonly string[]
  readonly prints: (printing: Printed) => void
}
