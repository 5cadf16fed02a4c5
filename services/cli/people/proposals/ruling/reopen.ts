// Has questions asked again that were skipped, rejected, or that no one answered in time.
import { Fault } from '#record/fault'
import { rulerOf } from '#messages/learning/ruler'
import { rulerRefusalText } from '#present/ruler-text'
import type { AskedBefore } from '#messages/learning/learning'
import { findSigner, type Signer } from '#runtime/keys/keys'
import { reopen } from '#runtime/learning/rule'
import type { Runtime } from '#runtime/engine/runtime'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { shortProposal } from '#operations/proposals/proposals'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { pickProposal } from '#operations/proposals/named'
import { until } from './until.ts'

interface ReopenOptions extends GlobalOptions, SignerOptions {
  readonly note?: string
}

const waitMs = 10_000

export async function reopenProposals(
  meant: readonly string[],
  options: ReopenOptions,
): Promise<number> {
  const stages = await clientStages(options)
  return withRuntime(options, { stages }, async (runtime) => {
    const asked = meant.map((one) => askedNamed(runtime, one))
    let worst: number = exitCodes.yes
    for (const one of asked) worst = Math.max(worst, await reopenOne(runtime, one, options))
    return worst
  })
}

function askedNamed({ follower, place }: Runtime, meant: string): AskedBefore {
  const byId = new Map([...follower.state.learning.history.values()].map((one) => [one.id, one]))
  const asked = byId.get(pickProposal(meant, place, byId.keys()) ?? '')
  if (asked !== undefined) return asked
  const list = '`warrant proposals --all` says what became of each'
  throw new Fault('no_proposal', `\`${meant}\` is not what was asked last: ${list}`)
}

async function reopenOne(
  runtime: Runtime,
  asked: AskedBefore,
  options: ReopenOptions,
): Promise<number> {
  const { follower } = runtime
  const { confirmer, privateKey } = await signerFor(runtime, asked, options)
  const lines = [`ask ${shortProposal(asked.id)} again, which was ${asked.ended ?? 'asked'}`]
  await demandAgreement(options, { lines, as: confirmer })
  const { note } = options
  const said = { proposal: asked.id, confirmer, privateKey, ...(note !== undefined && { note }) }
  const { name } = await reopen(runtime, said)
  const again = () => {
    const open = [...follower.state.learning.open.values()]
    return open.find(({ data }) => data.from.name === name)?.id
  }
  await until(runtime, waitMs, () => again() !== undefined)
  const proposal = again() ?? null
  if (options.json === true) {
    await printJson({ reopened: asked.id, name, by: confirmer, proposal })
  } else {
    const then =
      proposal === null ? 'it is asked again when it is met' : `asked as ${shortProposal(proposal)}`
    await print([`reopened ${shortProposal(asked.id)}, signed by ${confirmer}: ${then}`])
  }
  return exitCodes.yes
}

async function signerFor(
  { folder, follower }: Runtime,
  { met }: AskedBefore,
  options: SignerOptions,
): Promise<{ readonly confirmer: string; readonly privateKey: Signer['privateKey'] }> {
  const { catalog } = follower.state
  const { id, privateKey } = await findSigner(signerChoice({ folder, follower }, options))
  const ruler = rulerOf(catalog, id, met)
  if (!('refused' in ruler)) return { confirmer: id, privateKey }
  const refusal = rulerRefusalText(ruler.refused)
  throw new Fault('reopening_void', `nothing is bound: ${refusal}`)
}
