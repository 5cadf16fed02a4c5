// Shows a call of which no one knows whether it was done, and settles it by a fact that a person
// signs.
import { unsettledAt } from '#messages/executions/executions'
import { Fault } from '#record/fault'
import { utc } from '#present/wording'
import { findSigner } from '#runtime/keys/keys'
import { exitCodes } from '#schemas/faults/exit'
import { settleOutcome } from '#client/people/settle'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { findIntent } from '#operations/finding/intent-named'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { toned } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'

interface SettleOptions extends GlobalOptions, SignerOptions {
  readonly happened: 'yes' | 'no'
  readonly note?: string
}

export async function settleCommand(meant: string, options: SettleOptions): Promise<number> {
  const at = await cellOfIntent(options, meant, 'any')
  return withRuntime(at.options, {}, async (runtime) => {
    const intent = await findIntent(runtime.log, runtime.place, at.meant)
    const open = unsettledAt(runtime.follower.state, intent)
    if (open === null) {
      throw new Fault('settlement_void', `no outcome of \`${intent}\` waits to be settled`)
    }
    const json = options.json === true
    const about = [
      `${open.capability} for ${open.agent}: no one knows whether it was done`,
      `  since ${utc(open.appendedAt)}, intent ${intent}`,
    ]
    if (!json) await print(about)
    const signer = await findSigner(signerChoice(runtime, options))
    const happened = options.happened === 'yes'
    const says = happened ? 'it happened' : 'it did not happen'
    await demandAgreement(options, { lines: [...about, `say that ${says}`], as: signer.id })
    const { note } = options
    const by = { by: signer.id, privateKey: signer.privateKey, happened }
    const { name } = await settleOutcome(runtime, {
      intent,
      ...by,
      ...(note !== undefined && { note }),
    })
    if (json) await printJson({ intent, happened, name })
    else await print([toned('good', `settled: ${says}`)])
    return exitCodes.yes
  })
}
