// What `warrant log` shows: the facts as they are, of which nothing is folded, so that those that
// count for nothing are here too; or what a fold of them knows.
import { isPattern } from '#core/kernel/pattern'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '../terminal/failure.ts'
import { printFacts, type FactsOptions } from './facts.ts'
import { listEras, listOpen } from './open.ts'
import { listVoid } from './void.ts'

export interface LogOptions extends FactsOptions {
  readonly open?: boolean
  readonly eras?: boolean
  readonly void?: boolean
}

export async function log(given: LogOptions): Promise<number> {
  const options = given.issue === undefined ? given : { name: 'grounding.>', ...given }
  if (options.open === true) return listOpen(options)
  if (options.eras === true) return listEras(options)
  const { name } = options
  if (name !== undefined) refusePattern(name, options)
  if (options.void === true) return listVoid(options)
  await printFacts(options)
  return exitCodes.yes
}

function refusePattern(name: string, { realm }: LogOptions): void {
  if (isPattern(`${realm}.1.${name}`)) return
  throw usage(`\`${name}\` is not a pattern: use names like \`verdict.>\` or \`vlp.my-agent.*.*\``)
}
