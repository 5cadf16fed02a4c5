// What people make of the questions that they are asked: by rule for who may read the log, and by
// person for that person and policy admins alone.
import type { Hono } from 'hono'
import { answerBudget } from '#state/slices/attention/answers'
import { AttentionQuery, type AttentionAnswer } from '#schemas/console/attending'
import { newAttention } from '#client/reading/attention/counted'
import { answersMin, attentionReport } from '#client/reading/attention/report'
import { seenBy } from '#client/reading/attention/seen-by'
import type { ConsoleOn } from '../console.ts'
import { positionsNow } from '../logs.ts'
import { addFor, queryAsked } from '../routed.ts'

/** All that is kept is counted. */
const reportCost = 10
const dayMs = 86_400_000

export function addAttention(app: Hono, on: ConsoleOn): void {
  const { follower, clock } = on.runtime
  addFor(
    app,
    on,
    'attention',
    async ({ c, person }) => {
      const { days } = queryAsked(c, AttentionQuery)
      const now = clock.now()
      const counts = newAttention()
      const since = now - days * dayMs
      const froms = await Promise.all(
        on.logs.map(({ attention }) => attention.countInto(counts, since)),
      )
      const { catalog } = follower.state
      const { all, people, rules } = seenBy(attentionReport(counts), [person.id], catalog)
      return c.json({
        position: positionsNow(on),
        now: new Date(now).toISOString(),
        from: new Date(Math.max(...froms)).toISOString(),
        all,
        people: people.map((one) => {
          return { ...one, answersLeft: leastLeft(on, one.person, now) }
        }),
        rules: [...rules],
        answersMin,
      } satisfies AttentionAnswer)
    },
    reportCost,
  )
}

/** Each cell counts its own questions: that of which the fewest are left. */
function leastLeft(
  { logs }: ConsoleOn,
  person: string,
  now: number,
): AttentionAnswer['people'][number]['answersLeft'] {
  const budgets = logs.flatMap(({ runtime }) => {
    return answerBudget(runtime.follower.state, person, now) ?? []
  })
  const [least] = budgets.toSorted((one, other) => one.left - other.left)
  return least === undefined ? null : { perDay: least.perDay, left: least.left }
}
