// What doctor finds, for who keeps the console running. To look takes long on a long log, so it is
// done once for all who ask at a time, and what was found is kept for a moment.
import type { Hono } from 'hono'
import type { Clock } from '#ports/clock'
import type { DoctorFinding } from '#health/doctor/finding'
import type { FindingsAnswer } from '#schemas/console/operating'
import type { ConsoleOn } from '../console.ts'
import { addFor } from '../routed.ts'

/** Looks at the deployment, this machine and the log. */
export type LookAround = () => Promise<readonly DoctorFinding[]>

const keptMsMax = 10_000
const lookCost = 50

/** `look` is null where who serves it has no way to look. */
export function addDoctor(app: Hono, on: ConsoleOn, look: LookAround | null): void {
  const found = look === null ? null : lookedOnce(look, on.runtime.clock)
  addFor(
    app,
    on,
    'findings',
    async ({ c }) => c.json((await found?.()) ?? { at: null, findings: [] }),
    lookCost,
  )
}

function lookedOnce(look: LookAround, clock: Clock): () => Promise<FindingsAnswer> {
  let kept: { readonly until: number; readonly answer: Promise<FindingsAnswer> } | null = null
  const looked = async (): Promise<FindingsAnswer> => {
    const findings = await look()
    const at = clock.now()
    kept = kept === null ? null : { ...kept, until: at + keptMsMax }
    return { at: new Date(at).toISOString(), findings: findings.map((one) => ({ ...one })) }
  }
  return () => {
    if (kept !== null && clock.now() < kept.until) return kept.answer
    const answer = looked()
    kept = { until: Infinity, answer }
    // What failed is not kept.
    answer.catch(() => (kept = null))
    return answer
  }
}
