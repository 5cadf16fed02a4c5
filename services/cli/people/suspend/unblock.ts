// Shows what stops an agent, and lifts it by a fact that a person signs.
import { principalIn } from '#rules/catalog/catalog'
import { blocksOf } from '#state/agents'
import { findSigner } from '#runtime/keys/keys'
import { lift } from '#client/people/lift'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { toned } from '#cli/terminal/line'
import { cellOfAgent } from '#cli/terminal/opening/cells/intent-cell'
import { withRuntime } from '#cli/terminal/opening/opened'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'

interface UnblockOptions extends GlobalOptions, SignerOptions {
  readonly note?: string
}

export async function unblock(agent: string, options: UnblockOptions): Promise<number> {
  const there = await cellOfAgent(options, () => agent)
  return withRuntime(there, {}, async (runtime) => {
    const { state } = runtime.follower
    principalIn(state.catalog, agent)
    const blocks = blocksOf(state, agent)
    const json = options.json === true
    if (blocks.length === 0) {
      if (json) await printJson({ agent, lifted: [] })
      else await print([`${agent} is not blocked; nothing was changed`])
      return exitCodes.yes
    }
    const lines = blocks.map(({ sender, name }) => `blocked by ${sender}: ${name}`)
    if (!json) await print(lines)
    const signer = await findSigner(signerChoice(runtime, options))
    const toSign = [...lines, `unblock ${agent}: it may ask again`]
    await demandAgreement(options, { lines: toSign, as: signer.id })
    const { note } = options
    const by = { by: signer.id, privateKey: signer.privateKey }
    const { name } = await lift(runtime, { agent, ...by, ...(note !== undefined && { note }) })
    if (json) await printJson({ agent, lifted: blocks.map((block) => block.name), name })
    else await print([toned('good', `${agent} may ask again`)])
    return exitCodes.yes
  })
}
