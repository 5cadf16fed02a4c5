// What becomes of the state when an era is rotated and the log's clock is set back: a fact that a
// wrong clock stamped must not hold a limit, a review or a hold for as long as that clock ran
// ahead.
import type { Learning } from '#messages/learning/learning'
import { replaceUses } from '../budgets.ts'
import type { OpenIntent } from '../intent.ts'
import type { Placed } from '#record/event'
import type { State } from '../state.ts'

/** The log's time before, and what it is from now on. */
export interface Reset {
  readonly from: number
  readonly to: number
}

type Moved = (instant: number) => number

/** Nothing happened later than now, and what was to come is as far ahead as it was. */
function movedBy({ from, to }: Reset): Moved {
  return (instant) => (instant > from ? to + (instant - from) : Math.min(instant, to))
}

/** Sets the state's time back. */
export function resetClock(state: State, reset: Reset): void {
  const moved = movedBy(reset)
  for (const [address, intent] of state.intents)
    state.intents.set(address, movedIntent(intent, moved))
  for (const sequence of [state.uses, state.asks]) {
    for (const [key, uses] of sequence) sequence.set(key, { ...uses, times: uses.times.map(moved) })
  }
  for (const of of state.budgets.values()) {
    replaceUses(of, (_key, uses) => uses.map((use) => ({ ...use, at: moved(use.at) })))
  }
  for (const [person, answers] of state.answers) {
    state.answers.set(person, { ...answers, times: answers.times.map(moved) })
  }
  const drills = [...state.drills].map(([id, drill]) => {
    const { appendedAt, decideBy } = drill
    return [id, { ...drill, appendedAt: moved(appendedAt), decideBy: moved(decideBy) }] as const
  })
  state.drills = new Map(drills)
  moveWork(state, moved)
  // What all cells share has times of its own.
  if (state.catalog.cells === null) state.learning = movedLearning(state.learning, moved)
}

function moveWork(state: State, moved: Moved): void {
  const at = <T extends { readonly appendedAt: number }>(each: T): T => ({
    ...each,
    appendedAt: moved(each.appendedAt),
  })
  for (const contract of state.contracts.values()) {
    const { pending, pastAt, started } = contract
    state.contracts = state.contracts.with({
      ...at(contract),
      pending: pending.map(at),
      pastAt: pastAt === null ? null : moved(pastAt),
      started: { ...started, until: moved(started.until) },
    })
  }
  for (const [agent, standing] of state.standings) {
    const { steps, suspendedBy } = standing
    const own = { steps: steps.map(at), suspendedBy: suspendedBy && at(suspendedBy) }
    state.standings = new Map(state.standings).set(agent, { ...standing, ...own })
  }
}

function movedIntent(intent: OpenIntent, moved: Moved): OpenIntent {
  const { hold, review, decisions } = intent
  return {
    ...intent,
    appendedAt: moved(intent.appendedAt),
    hold: hold && { ...hold, until: moved(hold.until) },
    review: review && {
      ...review,
      appendedAt: moved(review.appendedAt),
      decideBy: moved(review.decideBy),
    },
    decisions: decisions.map((decision) => movedFact(decision, moved)),
  }
}

function movedLearning({ open, history, used }: Learning, moved: Moved): Learning {
  const at = <T extends { readonly appendedAt: number }>(each: T) => ({
    ...each,
    appendedAt: moved(each.appendedAt),
  })
  const proposals = [...open].map(([id, proposal]) => {
    const { agreed, suggestions } = proposal
    const lastAt = suggestions.lastAt === null ? null : moved(suggestions.lastAt)
    const own = { agreed: agreed && at(agreed), suggestions: { ...suggestions, lastAt } }
    return [id, { ...at(proposal), ...own }] as const
  })
  const before = [...history].map(([key, each]) => [key, at(each)] as const)
  return { open: new Map(proposals), history: new Map(before), used }
}

function movedFact<T>(fact: Placed<T>, moved: Moved): Placed<T> {
  return { ...fact, appendedAt: moved(fact.appendedAt) }
}
