// Grants: which count, what is taken of each, when that is given back, and what ends one.
import type { GrantData, UseData } from '#schemas/action/grant'
import { amountWritten } from '#rules/budgets/decimal'
import {
  grantsOfOneMax,
  hasUsesLeft,
  isIdUsed,
  noGrantUses,
  withGrant,
  withoutPast,
  type GrantUses,
} from '#rules/grants/book'
import { isSignedByPerson } from '#rules/catalog/people/signed-words'
import { grantFault } from '#rules/grants/grant'
import { jsonOf } from '#record/canonical'
import { readData, readEvent } from '#record/event'
import { token, type NameParts } from '#record/names'
import type { FoldCaches } from '../../caches/fold-caches.ts'
import type { LoggedFact } from '../../folded.ts'
import type { OpenIntent } from '../../intent.ts'
import { continues, numberOf, take } from '../../sequence.ts'
import type { State } from '../../state.ts'
import type { CountedFact } from '../slice.ts'

export function evolveGrant(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('grant', fact)
  if (!reading.ok) return reading.why
  const [id = ''] = parts.tokens
  const { data } = reading.event
  const { name, position, appendedAt } = fact
  const why = grantRefusal(state, { id, name, appendedAt, data })
  if (why !== null) return why
  const until = Date.parse(data.until)
  const grant = { id, name, position, appendedAt, until, data, endedBy: null }
  const kept = withoutPast(state.grants, appendedAt)
  if (kept !== state.grants) for (const past of kept.dropped) state.grantUses.delete(past)
  state.grants = withGrant(kept, grant)
  return null
}

interface Signed {
  readonly id: string
  readonly name: string
  readonly appendedAt: number
  readonly data: GrantData
}

/** Why the grant counts for nothing, or null where it counts. */
export function grantRefusal(
  { catalog, log, grants }: Pick<State, 'catalog' | 'log' | 'grants'>,
  { id, name, appendedAt, data }: Signed,
): string | null {
  const { signature, ...signed } = data
  const { confirmer } = data
  if (token(confirmer) !== name.split('.').at(-1)) return 'it came under another name'
  if (isIdUsed(grants, id)) return 'another grant has its id'
  const fault = grantFault(catalog, data, appendedAt)
  if (fault !== null) return fault
  const own = [...grants.byId.values()].filter((one) => {
    return one.data.confirmer === confirmer && one.until > appendedAt
  })
  if (own.length >= grantsOfOneMax) return `${confirmer} has ${grantsOfOneMax} grants already`
  if (signature === undefined) return 'it is not signed'
  const signer = catalog.principals.get(confirmer)
  return isSignedByPerson(catalog, signer, { log, name }, jsonOf(signed), signature)
    ? null
    : 'no key of this person in the catalog signed it'
}

export function evolveGrantUse(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): string | null {
  const [id = '', last] = parts.tokens
  const number = numberOf(last)
  if (number === null) return 'its number cannot be read'
  const uses = state.grantUses.get(id) ?? noGrantUses
  const isNext = continues(uses.sequence, number)
  const sequence = take(uses.sequence, number)
  // For something or not, the number is used.
  state.grantUses.set(id, { ...uses, sequence })
  if (!isNext) return `use ${number} is out of turn`
  const data = said(fact, caches)
  if (typeof data === 'string') return data
  const intent = takerOf(state, data, { id, number, uses })
  if (typeof intent === 'string') return intent
  const amount = data.amount ?? '0'
  const total = uses.total + amountWritten(amount)
  state.grantUses.set(id, { sequence, taken: uses.taken + 1, total })
  const taken = [...(intent.grants ?? []), { grant: id, use: number, amount }]
  state.intents.set(intent.address, { ...intent, grants: taken })
  return null
}

function said(fact: LoggedFact, caches?: FoldCaches): UseData | string {
  const written = caches?.facts.writtenGrantUse(fact) ?? null
  if (written !== null) return written
  const reading = readEvent('use', fact)
  return reading.ok ? reading.event.data : reading.why
}

/** The open intent that takes it, or why it counts for nothing. */
function takerOf(
  { intents, grants }: State,
  data: UseData,
  { id, number, uses }: { readonly id: string; readonly number: number; readonly uses: GrantUses },
): OpenIntent | string {
  const grant = grants.byId.get(id)
  if (grant === undefined) return 'there is no such grant'
  if (data.use !== number) return `it says use ${data.use}`
  if (data.grant !== grant.name) return 'it is of another grant'
  if (grant.endedBy !== null) return 'its grant has ended'
  if (!hasUsesLeft(grant, uses)) return 'its grant is used up'
  const { budget } = grant.data
  const total = uses.total + amountWritten(data.amount ?? '0')
  if (budget !== undefined && total > amountWritten(budget.max)) return 'its budget is used up'
  // Of one that is decided nothing would ever be given back.
  const intent = intents.get(data.intent.address)
  if (intent === undefined) return 'no such intent is open'
  const isTaken = intent.grants?.some((one) => one.grant === id)
  return isTaken === true ? 'its intent has taken it already' : intent
}

/** What a verdict does not rest on is free again: all of it where it denies. */
export function returnGrantUses(state: State, { fact, intent }: CountedFact): void {
  const taken = intent?.grants
  if (taken === undefined) return
  const verdict = readData('verdict', fact)
  if (verdict === null) return
  const kept = verdict.outcome === 'allow' ? (verdict.grants ?? []) : []
  for (const { grant: id, amount } of taken) {
    const name = state.grants.byId.get(id)?.name
    const uses = state.grantUses.get(id)
    if (uses === undefined || kept.some(({ grant }) => grant === name)) continue
    const total = uses.total - amountWritten(amount)
    state.grantUses.set(id, { ...uses, taken: uses.taken - 1, total })
  }
}
