// What a walk takes along to each simple command, what each comes to, and whether together they
// send a secret out.
import type { Noted, ShellCall } from './paths/shell-call.ts'
import type { Piped } from './piped.ts'
import { globMark, unknownMark } from './marks.ts'
import { unknownFolder } from './place.ts'
import { Scope } from './scope.ts'

export interface CallPlace {
  readonly scope: Scope
  readonly unit: Unit
  readonly input: Piped
  readonly depth: number
  /** Whether what is not known may be any number of arguments. */
  readonly isLoose?: boolean
}

export function moved(scope: Scope, { folders }: ShellCall): Scope {
  if (folders === scope.folders) return scope
  const copy = new Scope(scope)
  copy.folders = folders
  return copy
}

/** What is known when a trap is sprung: nothing that may change until then. */
export function laterThan(scope: Scope): Scope {
  const later = new Scope(scope)
  later.variables.clear()
  later.folders = [unknownFolder]
  later.previous = [unknownFolder]
  later.pushed = []
  return later
}

/** Few commands run another one in the shell itself; what it changes elsewhere is gone with it. */
export function inOwn([name = '']: readonly string[], scope: Scope): Scope {
  return /^(?:eval|command|builtin|exec|time|alias)$/u.test(name) ? scope : new Scope(scope)
}

/** What a function knows as it begins. */
export function calledWith(fields: readonly string[], scope: Scope): Scope {
  const own = new Scope(scope)
  own.setPositions(fields)
  return own
}

/** Another shell may run it, where the functions of this one are not known. */
export function inScript<T>(scope: Scope, run: () => T): T {
  const wasApart = scope.isApart
  scope.isApart = true
  const result = run()
  scope.isApart = wasApart
  return result
}

/** What stands for an item in the command that `xargs` and the like run. */
export function holderIn(fields: readonly string[]): string | null {
  const at = fields.findIndex((one) => /^(?:-[A-Za-z0-9]*[IJi]|--replace)/u.test(one))
  const text = fields[at]
  if (text === undefined) return /(?:^|\/)parallel$/u.test(fields[0] ?? '') ? '{}' : null
  const attached = /^(?:-[A-Za-z0-9]*[IJi]|--replace=?)(?<rest>.*)$/u.exec(text)?.groups?.['rest']
  if (attached !== undefined && attached !== '') return attached
  return /I$|J$/u.test(text) ? (fields[at + 1] ?? '{}') : '{}'
}

export interface Unit {
  readonly concepts: Set<string>
  readonly notes: Set<Noted>
  /** A secret stands in its own arguments or input. */
  holdsSecret: boolean
}

export function holdSecret(unit: Unit): void {
  unit.concepts.add('secret.read')
  unit.holdsSecret = true
}

/**
 * Whether a secret that one reads can reach the network by another. Two commands that only stand
 * side by side may hand it over by a file or a variable; what asks a fixed service counts where the
 * secret is piped into it.
 */
export function secretSent(units: readonly Unit[], isPiped: boolean): boolean {
  return units.some((one) => {
    const goes = one.concepts.has('network.send') || one.concepts.has('network.fetch')
    const asks = one.concepts.has('network.query') || one.concepts.has('network.read')
    if (!goes && !asks) return false
    if (one.holdsSecret) return true
    if (!goes && !isPiped) return false
    return units.some((other) => other !== one && other.concepts.has('secret.read'))
  })
}

/** What asks with a value that the line does not state may hand over whatever that value is. */
export function asAsked(concept: string, fields: readonly string[]): string {
  return concept === 'network.read' && fields.some(isOpen) ? 'network.query' : concept
}

/** No file has the name of an address, so a `?` in one stays as it is. */
function isOpen(field: string): boolean {
  return field.includes(unknownMark) || (field.includes(globMark) && !/^https?:\/\//u.test(field))
}

/** What lies outside is the person's own only as far as each path of it is. */
export function found(concept: string, unit: Unit, whose?: 'own'): void {
  unit.concepts.add(concept)
  if (!/^(?:read|write)\.outside$/u.test(concept)) return
  unit.notes.add(whose === 'own' ? 'outside_own' : 'outside_other')
}
