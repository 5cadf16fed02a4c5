// A log and its stages in one place without a log: facts in a list, folded as they come, and
// deciders that answer at once. Nothing here waits, and nothing is decided here.
import { usesOfCallMax } from '#stages/budgets/asked-budgets'
import { Fault } from '#record/fault'
import { partsOf } from '#record/names'
import { openingOf } from '#messages/opening'
import { callbackAnswers } from '#stages/policies'
import { derivedBytes } from '#stages/derived'
import type { Draft } from '#record/event'
import type { Stage } from '#stages/stage'
import { viewOf } from '#stages/view'
import { isStopped } from '#state/agents'
import { evolve } from '#state/fold/evolve'
import type { LoggedFact } from '#state/folded'
import { newState, type State } from '#state/state'
import { loadSeeking } from '#knowledge/known/finding-values'
import { changeFact, type Author } from '#authoring/change'
import { stages as allStages } from '#workers/stages'
import { isUse } from '#schemas/kinds'
import { contextAround } from './around.ts'
import { replyOf } from './call.ts'
import { signedStartOf, nowDefault, type Setup } from './setup.ts'

export interface Ledger {
  readonly setup: Setup
  readonly author: Author
  readonly state: State
  readonly facts: LoggedFact[]
  readonly named: Map<string, LoggedFact>
  /** How many of the facts the stages have answered. */
  answered: number
  now: number
}

/** A stage with work beside its decider needs a runtime; here the deciders alone run. */
const stages: readonly Stage[] = allStages.filter(({ work }) => work?.job === undefined)

// Nothing here waits, so what a decider may need is loaded with it.
await loadSeeking()

/** Names that are taken, before something must be wrong. */
const roundsMax = usesOfCallMax + 64

export function openLedger(setup: Setup): Ledger {
  const { author, changes } = signedStartOf(setup)
  const state = newState({ realm: 'main', era: 1 })
  const now = setup.now ?? nowDefault
  const ledger: Ledger = { setup, author, state, facts: [], named: new Map(), answered: 0, now }
  for (const change of changes) append(ledger, changeFact(state, change, { author, now }))
  return ledger
}

/** Binds the fact and lets the stages answer it. Throws if its name is bound. */
export function say(ledger: Ledger, entry: Pick<LoggedFact, 'name' | 'bytes'>): void {
  if (ledger.named.has(entry.name)) {
    throw new Fault('name_spent', `\`${entry.name}\` is bound already`)
  }
  append(ledger, entry)
  settle(ledger)
}

/** Lets that much time pass; what is due on the way is decided when it is due. */
export function pass(ledger: Ledger, ms: number): void {
  const end = ledger.now + ms
  for (let due = nextDue(ledger); due <= end; due = nextDue(ledger)) {
    ledger.now = Math.max(ledger.now, due)
    const before = ledger.facts.length
    settle(ledger)
    // A stage that is due and decides nothing is asked again after the next fact.
    if (ledger.facts.length === before) break
  }
  ledger.now = end
  settle(ledger)
}

function append(
  { state, facts, named, now }: Ledger,
  { name, bytes }: Pick<LoggedFact, 'name' | 'bytes'>,
): void {
  const fact = { name, bytes, position: facts.length + 1, appendedAt: now }
  facts.push(fact)
  named.set(name, fact)
  evolve(state, fact)
}

// A job for each stage whose kind a fact is, in log order, and then whatever is due by now.
function settle(ledger: Ledger): void {
  do {
    for (let fact = unanswered(ledger); fact !== undefined; fact = unanswered(ledger)) {
      ledger.answered += 1
      const { kind, address } = partsOf(fact.name, ledger.state.place) ?? nothing
      const asked = stages.filter(({ kinds }) => kind !== null && kinds.includes(kind))
      if (address !== null) for (const stage of asked) advance(ledger, stage, address)
    }
    for (const { at, stage, intent } of deadlines(ledger)) {
      if (at <= ledger.now) advance(ledger, stage, intent.address)
    }
  } while (unanswered(ledger) !== undefined)
}

const nothing = { kind: null, address: null }

function unanswered({ facts, answered }: Ledger): LoggedFact | undefined {
  return facts[answered]
}

function nextDue(ledger: Ledger): number {
  return Math.min(...deadlines(ledger).map(({ at }) => at))
}

function deadlines({ state }: Ledger) {
  return [...state.intents.values()].flatMap((intent) => {
    return stages.flatMap((stage) => {
      const at = stage.deadline(intent, isStopped(state, intent))
      return at === null ? [] : [{ at, stage, intent }]
    })
  })
}

function advance(ledger: Ledger, stage: Stage, address: string): void {
  for (let round = 0; round < roundsMax; round += 1) {
    const drafted = draftFor(ledger, stage, address)
    if (drafted === null) return
    const { draft, bytes } = drafted
    const isBound = !ledger.named.has(draft.name)
    if (isBound) append(ledger, { name: draft.name, bytes })
    // A counted use is only half of what there is to say.
    if (isBound && !isUse(draft.kind)) return
  }
  throw new Fault('name_spent', `\`${stage.name}\` finds every name of its next fact bound`)
}

interface Drafted {
  readonly draft: Draft
  readonly bytes: Uint8Array
}

function draftFor(ledger: Ledger, stage: Stage, address: string): Drafted | null {
  const { state, named, now, setup } = ledger
  const intent = state.intents.get(address)
  const fact = intent === undefined ? undefined : named.get(intent.name)
  const opening = fact === undefined ? null : openingOf(fact, state.catalog)
  const view = opening === null ? null : viewOf(state, address, opening)
  if (view === null) return null
  const time = new Date(now).toISOString()
  const context = contextAround(ledger, view)
  const calls = stage.calls?.(view, context, time) ?? []
  const replies = calls.map(({ callback, listening }) => {
    return replyOf(setup.callbacks, callback, listening.context())
  })
  const answers = callbackAnswers(calls, replies)
  const draft = stage.decide({ view, context, answers, time })
  if (draft === null) return null
  const stamp = { source: `warrant/${stage.name}/test`, time, basis: view.basis }
  return { draft, bytes: derivedBytes(draft, view, stamp) }
}
