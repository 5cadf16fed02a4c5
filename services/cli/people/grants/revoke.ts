// `warrant grants revoke`: shows a grant, and takes it back by a fact that a person signs.
import { grantLines } from '#present/story/grant'
import { findSigner } from '#runtime/keys/keys'
import { exitCodes } from '#schemas/faults/exit'
import { revoke } from '#client/warrants/revoke'
import { demandAgreement, signerChoice, unseen } from '#cli/terminal/signing'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { toned } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'
import { stateText } from './print.ts'
import { grantMeant, rowsOf } from './run.ts'

export interface RevokeGrantOptions extends GlobalOptions, SignerOptions {
  readonly note?: string
}

export async function revokeGrant(meant: string, options: RevokeGrantOptions): Promise<number> {
  const row = grantMeant(await rowsOf(options), meant)
  const { id, name, data } = row.listed.grant
  const { signature: _, ...content } = data
  const lines = [...grantLines(id, content), `  state       ${stateText(row)}`]
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
