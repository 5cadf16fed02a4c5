// Open intents by age, with what each waits for; and those that wait for people of whom too few can
// answer, which no one would notice before they expire.
import { agentIn } from '#core/kernel/names'
import { isUnanswerable, stillAsked } from '#core/outreach/still-asked'
import type { OpenIntent } from '#core/state/intent'
import type { State } from '#core/state/state'
import { waitsOf, type Waits } from '#present/story/waits'
import type { Principal } from '#schemas/catalog'
import type { OpenAnswer, OpenQuery, Unanswerable } from '#schemas/console/operating'
import { capabilityNamed } from '#services/client/reading/capability-named'
import type { z } from 'zod'
import type { ConsoleOn } from '../console.ts'
import { waitsAnswer } from '../reviews/waiting.ts'

export async function openAnswer(
  { runtime }: ConsoleOn,
  { only, after, limit }: z.output<typeof OpenQuery>,
): Promise<OpenAnswer> {
  const { state } = runtime.follower
  const now = runtime.clock.now()
  // In the order in which they were opened.
  const all = [...state.intents.values()].map((intent) => {
    const waits = waitsOf(state, intent, now)
    const { people } = waits
    return { intent, waits, unanswerable: unanswerableIn(state, intent, { people, now }) }
  })
  const meant = all.filter(({ waits, unanswerable }) => {
    if (only === 'unanswerable') return unanswerable !== null
    return only === 'all' || (waits.for === 'people') === (only === 'people')
  })
  const rest = meant.filter(({ intent }) => intent.position > after)
  const page = rest.slice(0, limit)
  const open = page.map(async ({ intent, waits, unanswerable }) => ({
    intent: intent.address,
    position: intent.position,
    since: new Date(intent.appendedAt).toISOString(),
    agent: agentIn(intent.address),
    tool: await capabilityNamed(runtime, intent),
    waits: waitsAnswer(waits),
    unanswerable,
  }))
  return {
    position: state.position,
    now: new Date(now).toISOString(),
    count: meant.length,
    unanswerable: all.filter((one) => one.unanswerable !== null).length,
    open: await Promise.all(open),
    next: rest.length > page.length ? (page.at(-1)?.intent.position ?? null) : null,
  }
}

/** Null where enough people can answer still, or none have to. */
function unanswerableIn(
  state: State,
  intent: OpenIntent,
  { people, now }: { readonly people: Waits['people']; readonly now: number },
): Unanswerable | null {
  const still = stillAsked(state, intent, now)
  if (still === null || !isUnanswerable(still)) return null
  const cannot = people
    .filter((person) => !still.people.includes(person))
    .map((person) => ({ person, why: whyNot(state.catalog.principals.get(person)) }))
  return { needed: still.needed, can: [...still.people], cannot }
}

function whyNot(person: Principal | undefined): Unanswerable['cannot'][number]['why'] {
  if (person === undefined) return 'unknown'
  return person.suspended ? 'suspended' : 'no_key'
}
