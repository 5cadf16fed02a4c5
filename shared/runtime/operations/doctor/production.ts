// Whether a deployment is fit for production. Where it is not, nothing starts: the list of what is
// missing is thrown, and no stage has run by then.
import { Fault } from '#core/kernel/fault'
import { examine, type Examining } from './examination.ts'
import { failuresIn, inProduction } from './finding.ts'

/** What must be given to prove it. */
export interface Production {
  /** Addresses of the servers' monitoring; none where the log is a file. */
  readonly monitors: readonly string[]
}

export async function demandProduction(examining: Examining): Promise<void> {
  const short = failuresIn(inProduction(await examine(examining)))
  if (short.length === 0) return
  const list = short.map(({ check, about, found }) => {
    return `${about === '' ? check : `${check} of ${about}`}: ${found}`
  })
  const fix = '`warrant doctor --production` says how to fix it'
  const message = `not fit for production: ${list.join('; ')}; ${fix}`
  throw new Fault('not_for_production', message)
}
