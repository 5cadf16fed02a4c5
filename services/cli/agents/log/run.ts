// What `warrant log` shows: the facts as they are, of which nothing is folded, so that those that
// count for nothing are here too; or what a fold of them knows.
import { exitCodes } from '#schemas/faults/exit'
import { printFacts, type FactsOptions } from './facts.ts'
import { listEras, listOpen } from './open.ts'
import { refusePattern } from '#client/reading/names-meant'
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
  const { name, realm } = options
  if (name !== undefined) refusePattern(name, realm)
  if (options.void === true) return listVoid(options)
  await printFacts(options)
  return exitCodes.yes
}
