// Claims the work of an open contract in the name of its worker.
import { Fault } from '#record/fault'
import { describeJsonFault } from '#record/json-fault'
import type { Runtime } from '#runtime/engine/runtime'
import { isObjectName } from '#gates/run/git-tree'
import { folderDigest } from '#gates/folder-digest'
import { exitCodes } from '#schemas/faults/exit'
import { Completion } from '#schemas/work/contract'
import { connect } from '#client/connect'
import { pickIntent } from '#operations/finding/intent-named'
import { signingKeyOf } from '../ask/run.ts'
import { cellOfIntent, cellOfAgent } from '#cli/terminal/opening/cells/intent-cell'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { print, printJson } from '#cli/terminal/terminal'
import { nameOfFile, readingOf, jsonIn } from '../work/json-file.ts'
import { configuration } from '#wiring/config'
import { workspaceNamed } from '#rules/catalog/work-settings'
import { hintsFor, shellWord } from '#cli/terminal/hint'

interface ClaimOptions extends GlobalOptions {
  readonly status?: string
  readonly folder?: string
  readonly commit?: string
  readonly created?: readonly string[]
  readonly need?: string
  readonly failed?: string
  readonly report?: string
  readonly evidence?: readonly string[]
  readonly session?: string
  readonly key?: string
}

export async function claimCommand(meant: string, options: ClaimOptions): Promise<number> {
  const { evidence = [], session } = options
  const completion = await completionOf(options)
  const stages = await clientStages(options)
  const at = await cellOfIntent(options, meant, 'any')
  return withRuntime(at.options, { stages }, async (runtime) => {
    const { address, worker } = openContractNamed(runtime, at.meant)
    const privateKey = await signingKeyOf(runtime, worker, options.key)
    const client = await connect({
      as: worker,
      runtime,
      ...(privateKey !== null && { privateKey }),
    })
    const { name, position } = await client.claim({
      contract: address,
      completion,
      evidence,
      ...(session !== undefined && { session: client.session(session) }),
    })
    const { status, work } = completion
    if (options.json === true) await printJson({ contract: address, claim: name, position, work })
    else await print([`${worker} reports ${status} on ${address}`, `  claim   ${name}`])
    return exitCodes.yes
  })
}

function openContractNamed({ follower, place }: Runtime, meant: string) {
  const { contracts } = follower.state
  const open = contracts.values()
  const addresses = open.map(({ address }) => address)
  const named = contracts.opened(meant)
  const address = named?.address ?? pickIntent(meant, place, addresses)
  const contract = address === null ? undefined : contracts.get(address)
  if (contract !== undefined) return contract
  const hint = 'those that have ended are in `warrant contracts --state ended`'
  throw new Fault('claim_refused', `no contract \`${meant}\` is open: ${hint}`)
}

async function completionOf(options: ClaimOptions): Promise<Completion> {
  const { status, report, created, need, failed } = options
  const work = await workOf(options)
  const given = report === undefined ? { status } : await reportIn(report, options)
  const parsed = Completion.safeParse({
    ...given,
    ...(created !== undefined && { filesCreated: created }),
    ...(need !== undefined && { whatINeed: need }),
    ...(failed !== undefined && { whatFailed: failed }),
    ...(work !== null && { work }),
  })
  if (!parsed.success) {
    const what = report === undefined ? 'give --status' : `${nameOfFile(report)} is no report`
    throw usage(what)
  }
  if (parsed.data.status === 'success' && parsed.data.work === undefined) {
    throw usage('a success names its work: give --folder or --commit')
  }
  return parsed.data
}

async function reportIn(file: string, { status }: ClaimOptions): Promise<object> {
  if (status !== undefined) throw usage('give either --report or --status')
  const reading = await readingOf(file)
  if (!reading.ok) throw usage(`${nameOfFile(file)}: ${describeJsonFault(reading)}`)
  const { value } = reading
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw usage(`${nameOfFile(file)} is no report`)
}

async function workOf({ folder, commit }: ClaimOptions): Promise<Completion['work'] | null> {
  if (folder !== undefined && commit !== undefined) throw usage('give either --folder or --commit')
  if (commit !== undefined) {
    if (!isObjectName(commit))
      throw usage('--commit takes the whole hash, as `git rev-parse HEAD` prints it')
    return { commit }
  }
  return folder === undefined ? null : { digest: await folderDigest(folder) }
}

// Opens a contract in the name of its issuer.

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
