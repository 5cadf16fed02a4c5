// Withdraws an open intent in the name of its agent, and prints the verdict that ends it.
import { configuration } from '#wiring/config'
import { connect } from '#client/connect'
import { capabilityNamed } from '#operations/capability-named'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { hintsFor } from '#cli/terminal/hint'
import { signingKeyOf } from '../ask/run.ts'
import { printAnswer } from '../ask/answer.ts'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { agentOf, openIntentNamed } from '#cli/terminal/opening/open-intent'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import { settled } from '../ask/settled.ts'

interface WithdrawOptions extends GlobalOptions {
  readonly why?: string
  readonly key?: string
}

const waitMs = 10_000

export async function withdrawCommand(meant: string, options: WithdrawOptions): Promise<number> {
  const stages = await clientStages(options)
  const at = await cellOfIntent(options, meant, 'open')
  return withRuntime(at.options, { stages }, async (runtime) => {
    const intent = await openIntentNamed(runtime, at.meant)
    const agent = agentOf(runtime, intent)
    const { log, follower } = runtime
    const tool = await capabilityNamed({ log, state: follower.state }, intent)
    const privateKey = await signingKeyOf(runtime, agent, options.key)
    const client = await connect({ as: agent, runtime, ...(privateKey !== null && { privateKey }) })
    await client.withdraw(intent.address, options.why)
    const answer = await settled(client.verdict(intent.address, waitMs))
    const hints = hintsFor(options, configuration())
    const json = options.json === true
    await printAnswer(runtime, answer, { tool, agent, hints, json })
    return answer.state === 'verdict' ? exitCodes.yes : exitCodes.noVerdict
  })
}
