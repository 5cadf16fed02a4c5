// Shows what would be taken back, and takes it back by a fact that a person signs.
import { principalIn } from '#rules/catalog/catalog'
import { Fault } from '#record/fault'
import { utc } from '#present/wording'
import { targetPhrase } from '#present/story/phrase'
import { readData } from '#record/event'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { findSigner } from '#runtime/keys/keys'
import type { RevocationTarget } from '#schemas/action/revocation'
import { exitCodes } from '#schemas/faults/exit'
import { revoke } from '#client/revoke'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { findIntent } from '#operations/finding/intent-named'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { toned, type Line } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'
import { tableLines } from '#cli/terminal/table'

interface RevokeOptions extends GlobalOptions, SignerOptions {
  readonly warrant?: string
  readonly tool?: string
  readonly agent?: string
  readonly grant?: string
  readonly note?: string
}

export async function revokeCommand(options: RevokeOptions): Promise<number> {
  const { warrant, tool, agent, grant } = options
  const given = [warrant, tool, agent, grant].filter((each) => each !== undefined)
  if (given.length !== 1) {
    throw usage('give one of --warrant, --tool, --agent and --grant: what is taken back')
  }
  if (warrant !== undefined) {
    const at = await cellOfIntent(options, warrant, 'any')
    return withRuntime(at.options, {}, async (runtime) =>
      taken(runtime, await warrantOf(runtime, at.meant), options),
    )
  }
  return withRuntime(options, {}, (runtime) => {
    if (tool !== undefined) return taken(runtime, ofCapability(runtime, tool), options)
    if (agent !== undefined) return taken(runtime, ofAgent(runtime, agent), options)
    return taken(
      runtime,
      { target: { grant: grantNamed(runtime, grant ?? '') }, about: [] },
      options,
    )
  })
}

/** What is taken back, and what a person must know of it. */
interface Meant {
  readonly target: RevocationTarget
  readonly about: readonly Line[]
}

async function warrantOf(runtime: Runtime, meant: string): Promise<Meant> {
  const address = await findIntent(runtime.log, runtime.place, meant)
  const fact = await factAbout(runtime, 'verdict', address)
  const data = readData('verdict', fact)
  if (fact === undefined || data === null) {
    const fix = 'withdraw the intent, or suspend its agent'
    throw new Fault('not_decided', `\`${address}\` has no verdict yet: ${fix}`)
  }
  const { terms, observed } = data
  if (data.outcome !== 'allow' || observed || terms === null) {
    throw new Fault('no_warrant', `the verdict on \`${address}\` permits nothing`)
  }
  const start =
    (await factAbout(runtime, 'start', address)) ?? (await factAbout(runtime, 'ownstart', address))
  const used =
    start === undefined
      ? 'it was not used yet'
      : toned('warn', `it was used already, at ${utc(start.appendedAt)}: what was done stays done`)
  const about = [`${terms.capability}, for ${data.intent.agent}, good until ${terms.useBy}`, used]
  return { target: { verdict: fact.name }, about }
}

function ofCapability({ follower }: Runtime, capability: string): Meant {
  if (!follower.state.catalog.capabilities.has(capability)) {
    throw new Fault('unknown_capability', `the catalog has no tool \`${capability}\``)
  }
  return { target: { capability }, about: [] }
}

function ofAgent({ follower }: Runtime, agent: string): Meant {
  const { id } = principalIn(follower.state.catalog, agent)
  return { target: { agent: id }, about: [] }
}

/** A grant is named by the fact that gave it. */
function grantNamed({ place }: Runtime, name: string): string {
  const [, , kind] = name.split('.')
  if (kind !== 'grant') {
    throw usage(`\`${name}\` names no grant: give the name of the fact, \`${place.realm}.…\``)
  }
  return name
}

async function taken(
  runtime: Runtime,
  { target, about }: Meant,
  options: RevokeOptions,
): Promise<number> {
  const { note } = options
  const signer = await findSigner(signerChoice(runtime, options))
  const lines = [
    `take back ${targetPhrase(target)}`,
    ...about,
    'what is decided later still counts',
  ]
  await demandAgreement(options, { lines, as: signer.id })
  const by = { by: signer.id, privateKey: signer.privateKey }
  const { name, position } = await revoke(runtime, {
    target,
    ...by,
    ...(note !== undefined && { note }),
  })
  if (options.json === true) await printJson({ target, by: signer.id, name, position })
  else {
    await print([
      toned('good', `${signer.id} has taken back ${targetPhrase(target)}`),
      `  ${name}`,
      ...about,
    ])
  }
  return exitCodes.yes
}

// Lists what was taken back: the latest revocation of each target, oldest first. One that counts
// for nothing is not here.

export async function listRevocations(options: GlobalOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async (runtime) => {
    const listed = await revocationsIn(runtime)
    if (options.json === true) for (const each of listed) await printJson(each)
    else if (listed.length === 0) await print(['nothing was taken back'])
    else {
      const rows = listed.map(({ appendedAt, target, by, note }) => {
        return [utc(Date.parse(appendedAt)), targetPhrase(target), by, note ?? '']
      })
      await print(tableLines(['at', 'taken back', 'by', 'why'], rows))
    }
    return exitCodes.yes
  })
}

interface Listed {
  readonly name: string
  readonly position: number
  readonly appendedAt: string
  readonly target: RevocationTarget
  readonly by: string
  readonly note: string | null
}

async function revocationsIn({ follower, log }: Runtime): Promise<readonly Listed[]> {
  const listed: Listed[] = []
  for (const { name } of follower.state.revocations.values()) {
    const fact = await log.get(name)
    const data = readData('revocation', fact)
    // That of an era that is archived is known, and no longer here.
    if (fact === undefined || data === null) continue
    const { target, by, note = null } = data
    const appendedAt = new Date(fact.appendedAt).toISOString()
    listed.push({ name, position: fact.position, appendedAt, target, by, note })
  }
  return listed.toSorted((one, other) => one.position - other.position)
}
