// Accepts that a log goes on from an older state of itself, as after an old backup was restored: a
// policy admin signs that into the log, and the marks of all who saw more count no longer.
import { configuration } from '#wiring/config'
import { Fault } from '#record/fault'
import { counted } from '#present/wording'
import { change } from '#authoring/change'
import { findPolicyAdmin } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import { exitCodes } from '#schemas/faults/exit'
import { inCell, inTurn, logsMeant, withControl } from '#cli/terminal/opening/cells/logs'
import type { LogMeant } from '#cli/terminal/opening/cells/logs'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { hintsFor } from '#cli/terminal/hint'
import { toned } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'

interface AcceptRollbackOptions extends GlobalOptions, SignerOptions {
  readonly note?: string
  /** Up to which position someone else saw it, where this user did not. */
  readonly seen?: number
}

export async function acceptRollback(options: AcceptRollbackOptions): Promise<number> {
  // A position is of the one log that the realm names: that of a cell, or what all of them share.
  const one = { options, cell: null }
  const all = options.seen === undefined ? withControl(options, await logsMeant(options)) : [one]
  const accepted = await inTurn(all, (meant) =>
    withRuntime(meant.options, { shows: true }, (runtime) => acceptIn(runtime, meant)),
  )
  if (accepted.includes(true)) return exitCodes.yes
  const what = 'the log goes on from all that this user saw of it: there is nothing to accept'
  const fix = 'where others refuse it, give the position that they name: --seen POSITION'
  throw new Fault('log_not_rolled_back', `${what}; ${fix}`)
}

/** Whether there was anything to accept. */
async function acceptIn(
  runtime: Runtime,
  { options, cell }: LogMeant<AcceptRollbackOptions>,
): Promise<boolean> {
  const { follower, clock } = runtime
  const { position, place } = follower.state
  const { realm } = place
  const known = runtime.rolledBack?.seen ?? null
  const lost = known?.position ?? options.seen
  if (lost === undefined) return false
  const author = await findPolicyAdmin(signerChoice(runtime, options))
  const lines = [
    `accept that the log of ${realm} goes on from position ${position}`,
    `  it was seen up to position ${lost}: what was there counts for no one any more`,
  ]
  await demandAgreement(options, { lines, as: author.id })
  const operations = () => {
    const before = follower.state.catalog.rollbacks.get(realm) ?? 0
    const least = Math.max(before, known?.rollbacks ?? 0) + 1
    const number = Math.max(least, Math.floor(clock.now() / 1_000))
    const seen = { position: lost, ...(known !== null && { digest: known.digest }) }
    return [{ op: 'accept_rollback' as const, id: realm, number, position, seen }]
  }
  const why = options.note === undefined ? {} : { note: options.note }
  const { revision } = await change(runtime, { kind: 'catalog', operations }, author, why)
  const hints = hintsFor(options, configuration())
  if (options.json === true) await printJson(inCell({ realm, position, lost, revision }, cell))
  else {
    const lacks = lost > position ? `: ${counted(lost - position, 'fact')} are given up` : ''
    await print([
      toned('good', `the log of ${realm} goes on from position ${position}${lacks}`),
      `  ${author.id} signed that, at catalog revision ${revision}`,
      `  see who may do what now, it is as it was then: ${hints('catalog')}`,
    ])
  }
  return true
}
