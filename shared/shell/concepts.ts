// The concepts that a command of a shell stands for: those of every simple command in it.
import { whereabouts } from './place.ts'
import type { Noted } from './paths/shell-call.ts'
import { secretSent } from './running.ts'
import { TooMuch, type JudgingShell } from './effort.ts'
import { Walk } from './walk.ts'

export interface AskedCommand {
  readonly command: string
  /** The absolute path of the folder in which it runs. */
  readonly cwd?: string | undefined
  /** The absolute path of the project's folder; the one in which it runs where that is absent. */
  readonly root?: string | undefined
}

export interface JudgedCommand {
  /** Sorted, each once; empty for a command that has nothing in it. */
  readonly concepts: readonly string[]
  /** The names of all commands that may run. */
  readonly programs: ReadonlySet<string>
}

export function conceptsOfCommand(asked: AskedCommand, by: JudgingShell): readonly string[] {
  return judgedCommand(asked, by).concepts
}

export function judgedCommand(
  { command, cwd, root }: AskedCommand,
  by: JudgingShell,
): JudgedCommand {
  const walk = new Walk({ ...by, ...whereabouts({ cwd, root }, by.table.isSystem) })
  const found = new Set<string>()
  try {
    walk.whole(command)
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    found.add('unparsed.command')
  }
  for (const { concepts } of walk.units) {
    for (const one of concepts) if (!isDoubtful(one, concepts)) found.add(one)
  }
  if (secretSent(walk.units, false)) found.add('secret.send')
  // What is ended was looked up in the same line.
  const isNoted = (note: Noted) => walk.units.some(({ notes }) => notes.has(note))
  if (isNoted('guard_named') && isNoted('unknown_ended')) found.add('guard.change')
  if (isNoted('outside_own') && !isNoted('outside_other')) found.add('outside.own')
  if (found.size > 1) found.delete('harmless')
  return { concepts: [...found].sort(), programs: walk.programs }
}

/** With an option that does more, a command that is listed as a reading one only seems to be. */
function isDoubtful(concept: string, among: ReadonlySet<string>): boolean {
  return concept === 'network.read' && more.some((one) => among.has(one))
}

const more = [
  'environment.set',
  'network.query',
  'network.fetch',
  'network.send',
  'secret.read',
  'code.run',
]
