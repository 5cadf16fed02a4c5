// Lists contracts, or shows one of them with all of its attempts.
import { Fault } from '#record/fault'
import type { Place } from '#record/names'
import type { LogReader } from '#ports/log'
import { exitCodes } from '#schemas/faults/exit'
import {
  contractsListed,
  contractShown,
  endedContracts,
  type ContractEnded,
  type ContractListed,
} from '#client/work/contracts-shown'
import { findIntent } from '#client/reading/intent-named'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { inCell, logsMeant } from '#cli/terminal/opening/cells/logs'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { print, printJson } from '#cli/terminal/terminal'
import { wrapped } from '#cli/terminal/width'
import { contractsLines, endedLines } from './print.ts'
import { linesOfContract } from './print-one.ts'

export interface ContractsOptions extends GlobalOptions {
  /** Those that have ended, too. */
  readonly all?: boolean
}

export async function contractsCommand(
  meant: string | undefined,
  options: ContractsOptions,
): Promise<number> {
  if (meant === undefined) return listed(options)
  if (options.all === true) throw usage('--all lists contracts: name none')
  return shown(meant, options)
}

async function listed(options: ContractsOptions): Promise<number> {
  const json = options.json === true
  const open: ContractListed[] = []
  const past: ContractEnded[] = []
  for (const { options: there, cell } of await logsMeant(options)) {
    const ended = endedContracts()
    const foldsAll = options.all === true
    const onFolded = foldsAll ? { onFolded: ended.take } : {}
    const here = await withRuntime(there, { reads: true, foldsAll, ...onFolded }, (runtime) => {
      const { follower, clock } = runtime
      return Promise.resolve(contractsListed(follower.state.contracts, clock.now()))
    })
    if (json) {
      for (const one of ended.all) await printJson(inCell({ state: 'ended', ...one }, cell))
      for (const one of here) await printJson(inCell({ state: 'open', ...one }, cell))
    }
    open.push(...here)
    past.push(...ended.all)
  }
  if (!json) await print([...contractsLines(open), ...(past.length > 0 ? endedLines(past) : [])])
  return exitCodes.yes
}

async function addressOf(log: LogReader, place: Place, meant: string): Promise<string> {
  try {
    return await findIntent(log, place, meant)
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== 'no_intent') throw cause
    const hint = 'list them with `warrant contracts --all`'
    throw new Fault('no_contract', `the log has no contract \`${meant}\`: ${hint}`, { cause })
  }
}

async function shown(meant: string, options: ContractsOptions): Promise<number> {
  const at = await cellOfIntent(options, meant, 'any')
  return withRuntime(at.options, { reads: true }, async ({ log, place, follower, clock }) => {
    const { contracts } = follower.state
    const address = await addressOf(log, place, at.meant)
    const contract = await contractShown({ log, place, contracts, now: clock.now() }, address)
    if (options.json === true) await printJson(contract)
    else await print(wrapped(linesOfContract(contract)))
    return exitCodes.yes
  })
}
