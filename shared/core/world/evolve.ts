// The fold: what each fact makes of the world. A fact that is void changes nothing but what is
// spent, and no fact, whoever bound it, may ever stop it.
import { DecisionData, GroundingData, HoldData, RateData } from '#schemas/facts'
import { ResumeData, ReviewData, WithdrawalData } from '#schemas/facts'
import { jsonOf } from '../canonical.ts'
import { readEvent, type Reading } from '../event.ts'
import { eraOf, partsInRealm, partsOf, token, type NameParts } from '../names.ts'
import { isSignedBy } from '../signature.ts'
import { strayDecision } from '../stage/decision.ts'
import { evolveCatalog, evolveGraph } from './change.ts'
import { noteEarly } from './early.ts'
import { evolveReopening, evolveRuling } from './learning.ts'
import { noteDenied, noteFailed } from './missed.ts'
import { evolveExpiry, evolveMeeting, evolveProposal, evolveSuggestion } from './proposals.ts'
import { openIntent, type OpenIntent, type Placed } from './intent.ts'
import { continues, numberOf } from './series.ts'
import { evolveSnapshot } from './turn.ts'
import { countUse, noUses, spendUse, type Uses } from './uses.ts'
import type { Folded, LoggedFact, World } from './world.ts'

/** Folds the next fact. Facts must come in order; a void one changes nothing but what is spent. */
export function evolve(world: World, fact: LoggedFact): Folded {
  const before = world.appendedAt
  world.position = fact.position
  world.appendedAt = fact.appendedAt
  const parts = partsOf(fact.name, world.place)
  if (parts === null) return evolveOther(world, fact, before)
  if (world.sealed !== null) return { parts, void: 'its era was sealed before it' }
  return { parts, void: evolveKind(world, fact, parts) }
}

// Of another era there is only what the next one opens with; all else is void, wherever it stands.
function evolveOther(world: World, fact: LoggedFact, before: number): Folded {
  const { realm, era } = world.place
  const other = partsInRealm(fact.name, realm)
  if (other === null) return { parts: null, void: 'its name is of no kind of this realm and era' }
  if (other.place.era < era) return { parts: null, void: 'its era was sealed before it' }
  if (other.place.era > era + 1 || other.kind !== 'snapshot') {
    noteEarly(world.sealed?.early ?? world.early, other)
    return { parts: null, void: 'its era has not begun' }
  }
  const number = numberOf(other.tokens[0])
  return { parts: other, void: evolveSnapshot(world, fact, { number, before }) }
}

function evolveKind(world: World, fact: LoggedFact, parts: NameParts): string | null {
  switch (parts.kind) {
    case 'vlp':
      return evolveMessage(world, fact, parts)
    case 'graph':
      return evolveGraph(world, fact, numberOf(parts.tokens[0]))
    case 'catalog':
      return evolveCatalog(world, fact, numberOf(parts.tokens[0]))
    case 'rate':
      return evolveRate(world, fact, parts)
    case 'verdict':
      noteDenied(world, fact, world.intents.get(parts.address ?? ''))
      // Readable or not, the name is spent: no other verdict can come.
      closeIntent(world, parts.address ?? '')
      return null
    case 'grounding':
    case 'hold':
    case 'resume':
    case 'review':
    case 'decision':
    case 'withdrawal':
      return evolveIntent(world, fact, parts)
    case 'outcome':
      noteFailed(world, fact)
      return null
    case 'proposal':
      return evolveProposal(world, fact, parts)
    case 'meeting':
      return evolveMeeting(world, fact, parts)
    case 'suggestion':
      return evolveSuggestion(world, fact, parts)
    case 'expiry':
      return evolveExpiry(world, fact, parts)
    case 'ruling':
      return evolveRuling(world, fact, parts)
    case 'reopening':
      return evolveReopening(world, fact, parts)
    case 'fault':
    case 'start':
    case 'verification':
    case 'checkpoint':
      return null
    case 'snapshot':
      return 'its era has begun already'
  }
}

function evolveMessage(world: World, fact: LoggedFact, parts: NameParts): string | null {
  const address = parts.address ?? ''
  // Only an earlier era can have opened it: in this one its name is bound once.
  if (world.intents.has(address)) return 'an intent of this address is open already'
  const opening = world.openings.of(fact, world.catalog.knownConstraints)
  if (opening !== null) world.intents.set(address, openIntent(address, fact))
  return null
}

function closeIntent(world: World, address: string): void {
  const intent = world.intents.get(address)
  if (intent === undefined) return
  world.intents.delete(address)
  world.openings.forget(intent.position)
}

function evolveRate(world: World, fact: LoggedFact, parts: NameParts): string | null {
  const [agent = '', capability = '', last] = parts.tokens
  const use = numberOf(last)
  if (use === null) return 'its number is none'
  const key = `${agent}.${capability}`
  const uses = world.uses.get(key) ?? noUses
  const reading = readEvent('rate', RateData, fact)
  const refusal = refuseRate(reading, uses, use, agent)
  if (refusal !== null || !reading.ok) {
    world.uses.set(key, spendUse(uses, use))
    return refusal
  }
  const { data } = reading.event
  world.uses.set(key, countUse(uses, use, fact.appendedAt, data.uses))
  const intent = world.intents.get(data.intent.address)
  if (intent?.use === null) {
    world.intents.set(intent.address, { ...intent, use: placed(fact, data) })
  }
  return null
}

function refuseRate(reading: Reading<RateData>, uses: Uses, use: number, agent: string) {
  if (!reading.ok) return reading.why
  if (!continues(uses.series, use)) return `use ${use} is out of turn`
  const { data } = reading.event
  if (data.use !== use) return `it says use ${data.use}`
  return data.intent.address.startsWith(`${agent}.`) ? null : 'its intent is another agent`s'
}

function evolveIntent(world: World, fact: LoggedFact, parts: NameParts): string | null {
  const intent = world.intents.get(parts.address ?? '')
  if (intent === undefined) return 'no such intent is open'
  if (isRepeated(intent, parts)) return 'an earlier era has it already'
  const next =
    parts.kind === 'grounding'
      ? grounded(world, intent, fact, parts)
      : nextIntent(world, intent, fact, parts)
  if (typeof next === 'string') return next
  if (next.grounding?.data.earlier === undefined) world.intents.set(intent.address, next)
  else closeIntent(world, intent.address)
  return null
}

// Within an era a name is bound once. What an intent brought with it from an era before is not
// said again under a name of this one: nobody answers twice, and nothing is replaced.
function isRepeated(intent: OpenIntent, { kind, tokens, place }: NameParts): boolean {
  if (eraOf(intent.name) === place.era) return false
  const last = tokens[3]
  const attempt = numberOf(last) ?? 0
  switch (kind) {
    case 'grounding':
      return attempt <= (intent.grounding?.data.attempt ?? 0)
    case 'hold':
      return attempt < intent.attempt || attempt <= (intent.hold?.attempt ?? 0)
    case 'review':
      return intent.review !== null
    case 'decision':
      return intent.decisions.some(({ name }) => name.split('.')[6] === last)
    case 'withdrawal':
      return intent.withdrawnAt !== null
    default:
      return false
  }
}

function grounded(
  world: World,
  intent: OpenIntent,
  fact: LoggedFact,
  parts: NameParts,
): OpenIntent | string {
  const evolved = (data: GroundingData): OpenIntent | string => {
    if (numberOf(parts.tokens[3]) !== data.attempt) return 'it says another attempt'
    const { earlier } = data
    return earlier === undefined || isEarlier(earlier, parts)
      ? { ...intent, grounding: placed(fact, data) }
      : 'it names no message of an earlier era'
  }
  const recalled = world.recall.grounding(fact)
  if (recalled !== null) return evolved(recalled)
  return read('grounding', GroundingData, fact, intent, evolved)
}

/** Whether that is the name of a message at the same address in an era before. */
function isEarlier(name: string, { place, address }: NameParts): boolean {
  const before = partsInRealm(name, place.realm)
  return before?.kind === 'vlp' && before.address === address && before.place.era < place.era
}

function nextIntent(
  world: World,
  intent: OpenIntent,
  fact: LoggedFact,
  parts: NameParts,
): OpenIntent | string {
  switch (parts.kind) {
    case 'hold':
      return read('hold', HoldData, fact, intent, ({ attempt, until }) =>
        numberOf(parts.tokens[3]) === attempt
          ? { ...intent, hold: { attempt, until: Date.parse(until) } }
          : 'it says another attempt',
      )
    case 'resume':
      return read('resume', ResumeData, fact, intent, ({ attempt }) =>
        numberOf(parts.tokens[3]) === attempt && intent.hold?.attempt === attempt
          ? { ...intent, attempt: attempt + 1, hold: null }
          : 'no such attempt is held',
      )
    case 'review':
      return read('review', ReviewData, fact, intent, (data) => ({
        ...intent,
        review: placed(fact, data),
      }))
    case 'decision':
      return read('decision', DecisionData, fact, intent, (data) => {
        const decision = placed(fact, data)
        const why = strayDecision(intent.review, decision)
        return why ?? { ...intent, decisions: [...intent.decisions, decision] }
      })
    case 'withdrawal':
      return read('withdrawal', WithdrawalData, fact, intent, (data) => {
        const why = withdrawalRefusal(world, fact.name, data)
        return why ?? { ...intent, withdrawnAt: fact.position }
      })
    default:
      return 'it is not about an intent'
  }
}

function read<T extends { readonly intent: { readonly address: string } }>(
  kind: Parameters<typeof readEvent>[0],
  schema: Parameters<typeof readEvent<T>>[1],
  fact: LoggedFact,
  intent: OpenIntent,
  evolved: (data: T) => OpenIntent | string,
): OpenIntent | string {
  const reading = readEvent(kind, schema, fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  return data.intent.address === intent.address ? evolved(data) : 'its intent is another'
}

// Only the agent takes its own word back, and one that ever had a key must sign that too.
function withdrawalRefusal(
  { catalog, log }: World,
  name: string,
  data: WithdrawalData,
): string | null {
  const { signature, ...signed } = data
  if (token(data.intent.agent) !== name.split('.')[3]) return 'it is another agent`s'
  const keys = catalog.principals.get(data.intent.agent)?.keys ?? []
  if (!catalog.keyed.has(data.intent.agent)) return null
  const isSigned =
    signature !== undefined && isSignedBy(keys, { log, name }, jsonOf(signed), signature)
  return isSigned ? null : 'its agent has a key and did not sign it'
}

function placed<T>(fact: LoggedFact, data: T): Placed<T> {
  return { name: fact.name, position: fact.position, appendedAt: fact.appendedAt, data }
}
