// Open intents by age, with what each waits for; and those that wait for people of whom too few can
// answer, which no one would notice before they expire.
import { agentIn } from '#record/names'
import { waitsOf } from '#present/story/waits'
import type { OpenAnswer, OpenQuery } from '#schemas/console/operating'
import { capabilityNamed } from '#client/reading/capability-named'
import { tooFewFor } from '#client/reading/log/unanswerable'
import type { z } from 'zod'
import type { ConsoleOn } from '../console.ts'
import { ofCell, positionsAmong, positionsNow, positionsNamed } from '../logs.ts'
import { waitsAnswer } from '../reviews/waiting.ts'

export async function openAnswer(
  on: ConsoleOn,
  { only, after, limit }: z.output<typeof OpenQuery>,
): Promise<OpenAnswer> {
  const now = on.runtime.clock.now()
  // In each log in the order in which they were opened.
  const all = on.logs.flatMap((at) => {
    const { state } = at.runtime.follower
    return [...state.intents.values()].map((intent) => {
      const waits = waitsOf(state, intent, now)
      const { people } = waits
      return { at, intent, waits, unanswerable: tooFewFor(state, intent, { people, now }) }
    })
  })
  const meant = all.filter(({ waits, unanswerable }) => {
    if (only === 'unanswerable') return unanswerable !== null
    return only === 'all' || (waits.for === 'people') === (only === 'people')
  })
  const said = after === undefined ? null : positionsNamed(after)
  const shown = new Map(on.logs.map((at) => [at, said?.(at) ?? 0]))
  const rest = meant
    .filter(({ at, intent }) => intent.position > (shown.get(at) ?? 0))
    .toSorted((one, other) => one.intent.appendedAt - other.intent.appendedAt)
  const page = rest.slice(0, limit)
  for (const { at, intent } of page) shown.set(at, intent.position)
  const open = page.map(async ({ at, intent, waits, unanswerable }) => ({
    intent: intent.address,
    position: intent.position,
    since: new Date(intent.appendedAt).toISOString(),
    agent: agentIn(intent.address),
    tool: await capabilityNamed(at.runtime, intent),
    waits: waitsAnswer(waits),
    unanswerable,
    ...ofCell(at),
  }))
  return {
    position: positionsNow(on),
    now: new Date(now).toISOString(),
    count: meant.length,
    unanswerable: all.filter((one) => one.unanswerable !== null).length,
    open: await Promise.all(open),
    next: rest.length > page.length ? positionsAmong(on.logs, (at) => shown.get(at) ?? 0) : null,
  }
}
