// About whom a principal may ask what they might do: itself, and those whom its entry in the
// catalog names. Who asks for another learns nothing of anyone else.
import type { Principal } from '#schemas/catalog'
import type { Subject } from '#schemas/intent'
import { isMatched, type Catalog } from '../catalog.ts'

const noSubjects: NonNullable<Principal['evaluates']>['subjects'] = []

type Known = Pick<Catalog, 'principals'>

/** The principal that is meant; null where the caller may not ask about such a one. */
export function subjectOf(
  { principals }: Known,
  caller: string,
  { type, id }: Subject,
): Principal | null {
  const principal = principals.get(id)
  if (principal === undefined) return null
  if (type === undefined) return id === caller ? principal : null
  for (const one of principals.get(caller)?.evaluates?.subjects ?? noSubjects) {
    if (one.type === type && isMatched(one.who, principal)) return principal
  }
  return null
}

/** Whether people may be asked in the requests of the caller about others. */
export function asksPeople({ principals }: Known, caller: string): boolean {
  return principals.get(caller)?.evaluates?.asks === true
}

/** Whether what the caller is allowed counts as used. */
export function enforces({ principals }: Known, caller: string): boolean {
  return principals.get(caller)?.evaluates?.enforces === true
}
