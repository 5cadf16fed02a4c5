// Whether a deployment is fit for production: exactly what `warrant doctor --production` finds.
// Where it is not, nothing starts: the list of what is missing is thrown.
import { Fault } from '#record/fault'
import { failuresIn, inProduction } from '#health/doctor/finding'
import { findingsOf, type DoctorOptions } from './run.ts'

export async function demandProduction(options: DoctorOptions): Promise<void> {
  const short = failuresIn(inProduction(await findingsOf(options)))
  if (short.length === 0) return
  const list = short.map(({ check, about, found }) => {
    return `${about === '' ? check : `${check} of ${about}`}: ${found}`
  })
  const fix = '`warrant doctor --production` says how to fix it'
  const message = `not fit for production: ${list.join('; ')}; ${fix}`
  throw new Fault('not_for_production', message)
}
