// What a shell knows while its commands run one after the other: in which folder it may be, which
// values its variables may have, and what its functions are.
import { project, unknownFolder, type Located } from './place.ts'
import { TooMuch } from './effort.ts'
import type { ShellScript } from './syntax.ts'
import { globMark, homeMark, isNumeral, numberMark, unknownMark } from './marks.ts'

export interface HeldValues {
  /** Those that it may have; marks stand for what is not known. */
  readonly values: readonly string[]
  readonly isSecret: boolean
  /** Whether its indexes are any texts, and not numbers. */
  readonly isMap?: boolean
  readonly isList?: boolean
}

const valuesMax = 8
const variablesMax = 256
const exitsMax = 256
const positionsMax = 10

export class Scope {
  folders: readonly Located[]
  /** Those that `cd -` goes back to. */
  previous: readonly Located[]
  /** Those that `popd` goes back to, the last first. */
  pushed: readonly (readonly Located[])[]
  /** Whether it is a script of its own, which another shell may run. */
  isApart = false
  readonly variables: Map<string, HeldValues>
  readonly functions: Map<string, readonly ShellScript[]>
  /** Variables that work out what they get; once one may do so, it does. */
  readonly #counted: Set<string>
  /** What holds where a loop or a function is left early: of each that this stands in. */
  exits: readonly Scope[][]

  constructor(from?: Scope, folder: Located = project) {
    this.folders = from?.folders ?? [folder]
    this.previous = from?.previous ?? [unknownFolder]
    this.pushed = from?.pushed ?? []
    this.variables = new Map(from?.variables)
    this.functions = from?.functions ?? new Map<string, readonly ShellScript[]>()
    this.#counted = from === undefined ? new Set(counting) : from.#counted
    this.exits = from?.exits ?? []
    this.isApart = from?.isApart ?? false
  }

  copy(): Scope {
    return new Scope(this)
  }

  /** Of a call of a function, its name first; what may be any number of arguments ends them. */
  setPositions(fields: readonly string[]): void {
    this.losePositions()
    const end = fields.findIndex((one) => one.includes(unknownMark) || one.includes(globMark))
    const last = end === -1 ? positionsMax : end
    for (let at = 0; at < last; at += 1) {
      this.variables.set(String(at), { values: [fields[at] ?? ''], isSecret: false })
    }
  }

  losePositions(): void {
    for (const one of this.variables.keys()) if (/^\d+$/u.test(one)) this.variables.delete(one)
  }

  set(name: string, { values, ...held }: HeldValues): void {
    this.variables.set(name, { ...held, values: few(values) })
    if (this.variables.size > variablesMax) throw new TooMuch()
  }

  get(name: string): HeldValues {
    const held = this.variables.get(name)
    if (held !== undefined) return held
    return { values: [standard.get(name) ?? unknownMark], isSecret: false }
  }

  count(name: string): void {
    this.#counted.add(name)
  }

  isCounted(name: string): boolean {
    return this.#counted.has(name)
  }

  /** A loop or a function may end here. */
  leave(): void {
    for (const one of this.exits) one.push(new Scope(this))
    if (this.exits.some((one) => one.length > exitsMax)) throw new TooMuch()
  }

  /** What runs in it can be left early: both where it ends and where it is left, this goes on. */
  within(inner: Scope, run: () => void): void {
    const left: Scope[] = []
    inner.exits = [...inner.exits, left]
    run()
    inner.exits = inner.exits.slice(0, -1)
    for (const one of left) inner.join(one)
  }

  /** Goes on as the other one does. */
  become(other: Scope): void {
    this.folders = other.folders
    this.previous = other.previous
    this.pushed = other.pushed
    this.variables.clear()
    for (const [name, held] of other.variables) this.variables.set(name, held)
  }

  /** Forgets what has changed since then. */
  forget(since: Scope): void {
    for (const [name, held] of this.variables) {
      const { values } = since.get(name)
      const isSame =
        values.length === held.values.length && held.values.every((one) => values.includes(one))
      if (!isSame) this.variables.set(name, { ...held, values: few([...held.values, unknownMark]) })
    }
    if (this.folders !== since.folders) this.folders = distinct([...this.folders, unknownFolder])
  }

  /** Goes on where either of the two may have happened. */
  join(other: Scope): void {
    this.folders = distinct([...this.folders, ...other.folders])
    this.previous = distinct([...this.previous, ...other.previous])
    if (this.pushed !== other.pushed) this.pushed = joined(this.pushed, other.pushed)
    for (const name of new Set([...this.variables.keys(), ...other.variables.keys()])) {
      const [a, b] = [this.get(name), other.get(name)]
      this.variables.set(name, {
        values: a === b ? a.values : few([...a.values, ...b.values]),
        isSecret: a.isSecret || b.isSecret,
        isMap: a.isMap === true && b.isMap === true,
        isList: a.isList === true || b.isList === true,
      })
    }
  }

  /** A text by which two scopes with the same knowledge are equal. */
  digest(): string {
    return JSON.stringify([this.folders, [...this.variables]])
  }
}

/** Each once; too many are not known, but that they are numbers. */
function few(values: readonly string[]): readonly string[] {
  const isOpen = values.includes(unknownMark)
  const kept = [...new Set(values)].filter((one) => {
    return !isOpen || one === unknownMark || !one.includes(unknownMark)
  })
  if (kept.length <= valuesMax) return kept
  const areNumbers = kept.every(isNumeral)
  return [areNumbers ? numberMark : unknownMark]
}

/** These have a number from the beginning. */
const counting = 'RANDOM SRANDOM SECONDS LINENO HISTCMD OPTIND BASHPID EPOCHSECONDS'.split(' ')

/** What a shell takes for the end of a word, unless it is given others. */
export const usualSeparators = ' \t\n'

/** Whether words end elsewhere than at white space with these. */
export function dividesOtherwise(separators: string): boolean {
  return /[^ \t\n]/u.test(separators)
}

const standard: ReadonlyMap<string, string> = new Map([
  ['HOME', homeMark],
  ['IFS', usualSeparators],
  ['PWD', '.'],
  ...['?', '#', '$', '!', 'UID', 'EUID', 'PPID', ...counting].map(
    (name) => [name, numberMark] as const,
  ),
])

type Pushed = readonly (readonly Located[])[]

function joined(some: Pushed, others: Pushed): Pushed {
  if (some.length !== others.length) return []
  return some.map((one, at) => distinct([...one, ...(others[at] ?? [])]))
}

const foldersMax = 8

export function distinct(folders: readonly Located[]): readonly Located[] {
  const kept = new Map<string, Located>()
  for (const one of folders) {
    const key = `${one.place} ${one.path}`
    const before = kept.get(key)
    if (before === undefined || one.isDoubted !== true) kept.set(key, one)
  }
  return kept.size > foldersMax ? [unknownFolder] : [...kept.values()]
}
