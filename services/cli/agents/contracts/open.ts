// Opens a contract in the name of its issuer.
import { configuration } from '#wiring/config'
import { workspaceNamed } from '#rules/catalog/work/work-settings'
import type { Runtime } from '#runtime/engine/runtime'
import { exitCodes } from '#schemas/faults/exit'
import { connect } from '#client/connect'
import { signingKeyOf } from '../ask/run.ts'
import { cellOfAgent } from '#cli/terminal/opening/cells/intent-cell'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { hintsFor, shellWord } from '#cli/terminal/hint'
import { print, printJson } from '#cli/terminal/terminal'
import { jsonIn } from '../work/json-file.ts'

interface ContractOptions extends GlobalOptions {
  readonly for: string
  readonly as: string
  readonly workspace?: string
  readonly session?: string
  readonly key?: string
}

export async function openContract(file: string, options: ContractOptions): Promise<number> {
  const { for: worker, as, session } = options
  const contract = placed(await jsonIn(file), options)
  const stages = await clientStages(options)
  return withRuntime(await cellOfAgent(options, () => worker), { stages }, async (runtime) => {
    const privateKey = await signingKeyOf(runtime, as, options.key)
    const client = await connect({ as, runtime, ...(privateKey !== null && { privateKey }) })
    const { address, name, position } = await client.contract({
      worker,
      contract,
      ...(session !== undefined && { session: client.session(session) }),
    })
    if (options.json === true) await printJson({ contract: address, message: name, position })
    else {
      await runtime.follower.reached(position)
      const hints = hintsFor(options, configuration())
      const claim = `claim ${address} --status success ${workIn(runtime, address)}`
      await print([address, `  claim it by   ${hints(claim)}`])
    }
    return exitCodes.yes
  })
}

/** How a claim names its work; of one that counts for nothing after all it does not matter. */
function workIn({ follower }: Runtime, address: string): string {
  const { catalog, contracts } = follower.state
  const workspace = workspaceNamed(catalog, contracts.get(address)?.workspace ?? '')
  if (workspace === null || 'repository' in workspace) return '--commit HEX'
  return `--folder ${shellWord(workspace.folder)}`
}

function placed(contract: unknown, { workspace }: ContractOptions): unknown {
  const isMap = typeof contract === 'object' && contract !== null && !Array.isArray(contract)
  return isMap && workspace !== undefined ? { ...contract, workspace } : contract
}
