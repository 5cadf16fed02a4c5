// Lets a suspended agent work again by a fact that a policy admin signs.
import { principalIn } from '#rules/catalog/catalog'
import { token } from '#record/names'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { exitCodes } from '#schemas/faults/exit'
import { reinstate } from '#client/people/reinstate'
import { cellOfAgent } from '#cli/terminal/opening/cells/intent-cell'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { toned } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'

interface ReinstateOptions extends GlobalOptions, SignerOptions {
  readonly reason: string
}

export async function reinstateCommand(agent: string, options: ReinstateOptions): Promise<number> {
  const { reason } = options
  const json = options.json === true
  return withRuntime(await cellOfAgent(options, () => agent), {}, async (runtime) => {
    const { catalog, standings } = runtime.follower.state
    principalIn(catalog, agent)
    const suspendedBy = standings.get(token(agent))?.suspendedBy ?? null
    if (suspendedBy === null) {
      if (json) await printJson({ agent, reinstated: false })
      else await print([`${agent} is not suspended by its standing; nothing was changed`])
      return exitCodes.yes
    }
    const lines = [`suspended by ${suspendedBy.name}`]
    if (!json) await print(lines)
    const signer = await findPolicyAdmin(signerChoice(runtime, options))
    const toSign = [...lines, `reinstate ${agent}: it may work again, under strict rules`]
    await demandAgreement(options, { lines: toSign, as: signer.id })
    const by = { by: signer.id, privateKey: signer.privateKey }
    const { name } = await reinstate(runtime, { agent, reason, ...by })
    if (json) await printJson({ agent, reinstated: true, name })
    else await print([toned('good', `${agent} may work again, under strict rules`)])
    return exitCodes.yes
  })
}
