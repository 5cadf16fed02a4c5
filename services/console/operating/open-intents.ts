// Open intents by age, with what each waits for; and those that wait for people of whom too few can
// answer, which no one would notice before they expire.
import { agentIn } from '#core/kernel/names'
import type { State } from '#core/state/state'
import { waitsOf, type Waits } from '#present/story/waits'
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
    return { intent, waits, unanswerable: unanswerableIn(state, waits) }
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
  { catalog }: Pick<State, 'catalog'>,
  { for: what, people, quorum }: Waits,
): Unanswerable | null {
  if (what !== 'people') return null
  const cannot: Unanswerable['cannot'] = []
  const can: string[] = []
  for (const person of people) {
    const { keys = [], passkeys = [], suspended } = catalog.principals.get(person) ?? {}
    if (suspended === undefined) cannot.push({ person, why: 'unknown' })
    else if (suspended) cannot.push({ person, why: 'suspended' })
    else if (keys.length + passkeys.length > 0) can.push(person)
    else cannot.push({ person, why: 'no_key' })
  }
  return can.length >= quorum ? null : { needed: quorum, can, cannot }
}
