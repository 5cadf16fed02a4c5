// `warrant grants revoke`: shows a grant, and takes it back by a fact that a person signs.
import { grantOnScreen } from '#operations/grants'
import { findSigner } from '#runtime/keys/keys'
import { exitCodes } from '#schemas/faults/exit'
import { revoke } from '#client/revoke'
import { demandAgreement, signerChoice, unseen } from '#cli/terminal/signing'
import { askCells } from '#cli/terminal/asked/run'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { toned } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'

interface RevokeGrantOptions extends GlobalOptions, SignerOptions {
  readonly note?: string
}

export async function revokeGrant(meant: string, options: RevokeGrantOptions): Promise<number> {
  const { answer } = await askCells('grant', { grant: meant }, options)
  const { grant: id, name } = answer.grant
  const lines = grantOnScreen(answer.grant)
  if (options.json !== true) await print(lines)
  return withRuntime(options, {}, async (runtime) => {
    const signer = await findSigner(signerChoice(runtime, options))
    const toSign = [...unseen(options, lines), `take back the grant ${id}: it answers for no call`]
    await demandAgreement(options, { lines: toSign, as: signer.id })
    const { note } = options
    const fact = await revoke(runtime, {
      target: { grant: name },
      by: signer.id,
      privateKey: signer.privateKey,
      ...(note !== undefined && { note }),
    })
    if (options.json === true) {
      await printJson({ grant: name, by: signer.id, name: fact.name, position: fact.position })
    } else {
      await print([toned('good', `${signer.id} has taken back the grant ${id}`), `  ${fact.name}`])
    }
    return exitCodes.yes
  })
}
