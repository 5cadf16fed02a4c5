// Facts that are searched for, from the newest back, with the filters of `warrant log`. A page
// takes so much time and no more, and says where it ended.
import type { Hono } from 'hono'
import { SearchQuery, type FactAnswer, type FoundAnswer } from '#schemas/console/reading'
import type { Fact } from '#ports/log'
import { intentsAsked, type IntentsAsked } from '#services/client/reading/asked-for'
import { readContentOf } from '#services/client/reading/fact-shown'
import { readBackwards } from '#services/client/reading/log/backwards'
import type { z } from 'zod'
import type { ConsoleOn } from '../console.ts'
import { addFor, queryAsked } from '../routed.ts'
import { searchedFor } from './searched-for.ts'

const searchCost = 5
/** So long one page may look. */
const msMax = 3_000

export function addSearch(app: Hono, on: ConsoleOn): void {
  const answer = async (query: z.output<typeof SearchQuery>) => found(on, query)
  addFor(
    app,
    on,
    'search',
    async ({ c }) => c.json(await answer(queryAsked(c, SearchQuery))),
    searchCost,
  )
}

async function found(
  { runtime }: ConsoleOn,
  query: z.output<typeof SearchQuery>,
): Promise<FoundAnswer> {
  const { log, follower, clock } = runtime
  const { position, place } = follower.state
  const asked = intentsAsked(log, place)
  const wanted = searchedFor(query, { asked, now: clock.now(), place })
  const before = query.before ?? position + 1
  const until = performance.now() + msMax
  const facts: FactAnswer[] = []
  const ended = (next: number | null, isWhole: boolean): FoundAnswer => {
    return { position, facts, next, isWhole, failed: wanted.failed() }
  }
  for await (const step of readBackwards(log, { before, names: wanted.names })) {
    for (const fact of step.facts) {
      if (!(await wanted.isMeant(fact))) continue
      facts.push(await shown(fact, asked))
      if (facts.length >= query.limit) return ended(fact.position, true)
    }
    if (step.from > 1 && performance.now() >= until) return ended(step.from, false)
  }
  return ended(null, true)
}

async function shown(fact: Fact, asked: IntentsAsked): Promise<FactAnswer> {
  const { position, appendedAt, name, bytes } = fact
  const of = await asked.of(fact)
  return {
    position,
    appendedAt: new Date(appendedAt).toISOString(),
    name,
    ...(of !== null && { tool: of.tool }),
    fact: readContentOf(bytes),
  }
}
