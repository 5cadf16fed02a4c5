// What a shell knows while its commands run one after the other: in which folder it may be, which
// values its variables may have, and what its functions are.
import { project, unknownFolder, type Located } from './place.ts'
import type { ShellScript } from './syntax.ts'
import { globMark, homeMark, unknownMark } from './marks.ts'

export interface HeldValues {
  /** Those that it may have; marks stand for what is not known. */
  readonly values: readonly string[]
  readonly isSecret: boolean
}

const valuesMax = 8
const positionsMax = 10

export class Scope {
  folders: readonly Located[]
  /** Those that `cd -` goes back to. */
  previous: readonly Located[]
  /** Those that `popd` goes back to, the last first. */
  pushed: readonly (readonly Located[])[]
  /** Whether what runs now may not run at all. */
  isUncertain = false
  /** Whether it is a script of its own, which another shell may run. */
  isApart = false
  readonly variables: Map<string, HeldValues>
  readonly functions: Map<string, readonly ShellScript[]>

  constructor(from?: Scope, folder: Located = project) {
    this.folders = from?.folders ?? [folder]
    this.previous = from?.previous ?? [unknownFolder]
    this.pushed = from?.pushed ?? []
    this.variables = new Map(from?.variables)
    this.functions = from?.functions ?? new Map<string, readonly ShellScript[]>()
    this.isUncertain = from?.isUncertain ?? false
    this.isApart = from?.isApart ?? false
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

  set(name: string, held: HeldValues): void {
    const before = this.isUncertain ? this.get(name) : { values: [], isSecret: false }
    const values = [...new Set([...before.values, ...held.values])]
    this.variables.set(name, {
      values: values.length > valuesMax ? [unknownMark] : values,
      isSecret: before.isSecret || held.isSecret,
    })
  }

  get(name: string): HeldValues {
    const held = this.variables.get(name)
    if (held !== undefined) return held
    return { values: [standard.get(name) ?? unknownMark], isSecret: false }
  }

  /** Goes on where either of the two may have happened. */
  join(other: Scope): void {
    this.folders = distinct([...this.folders, ...other.folders])
    this.previous = distinct([...this.previous, ...other.previous])
    if (this.pushed !== other.pushed) this.pushed = joined(this.pushed, other.pushed)
    for (const name of new Set([...this.variables.keys(), ...other.variables.keys()])) {
      const [a, b] = [this.get(name), other.get(name)]
      const values = [...new Set([...a.values, ...b.values])]
      const kept = values.length > valuesMax ? [unknownMark] : values
      this.variables.set(name, { values: kept, isSecret: a.isSecret || b.isSecret })
    }
  }

  /** A text by which two scopes with the same knowledge are equal. */
  digest(): string {
    return JSON.stringify([this.folders, [...this.variables]])
  }
}

const standard: ReadonlyMap<string, string> = new Map([
  ['HOME', homeMark],
  ['PWD', '.'],
  ...['?', '#', '$', '!', 'RANDOM', 'SECONDS', 'LINENO', 'UID', 'EUID', 'PPID', 'BASHPID'].map(
    (name) => [name, `0${globMark}`] as const,
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
