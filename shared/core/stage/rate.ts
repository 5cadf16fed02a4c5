// A counted use as a draft. Which number is free is read off the fold; who takes it is settled by
// the name, so the limit is exact under any number of workers.
import type { CallbackAnswer } from '#schemas/facts'
import type { Draft } from '../event.ts'
import { nameOf, token } from '../names.ts'
import { usesLimit } from './case.ts'
import { lookedOutside } from './policies.ts'
import type { View } from './view.ts'

/** The use that the intent must take before it is allowed; null where it needs none or has it. */
export function rateDraft(view: View, answers: readonly CallbackAnswer[]): Draft<'rate'> | null {
  const limit = usesLimit(view)
  const capability = view.opening.request?.tool
  if (limit === null || capability === undefined || view.intent.use !== null) return null
  const intent = view.ref
  const use = view.uses.series.next
  return {
    kind: 'rate',
    name: nameOf(view.place, 'rate', token(intent.agent), token(capability), use),
    data: {
      agent: intent.agent,
      capability,
      intent,
      use,
      uses: limit.uses,
      windowMs: limit.windowMs,
      ...lookedOutside(answers),
    },
  }
}
