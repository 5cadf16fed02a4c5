// Suspends a principal, or lifts it, by a signed change of the catalog.
import { configuration } from '#wiring/config'
import { principalIn } from '#rules/catalog/catalog'
import { token } from '#record/names'
import { counted } from '#present/wording'
import { change } from '#authoring/change'
import { findPolicyAdmin, findSigner } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { hintsFor, shellWord } from '#cli/terminal/hint'
import { note, print, printJson } from '#cli/terminal/terminal'
import { toned, type Line } from '#cli/terminal/line'
import { withRuntime } from '#cli/terminal/opening/opened'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { blocksOf } from '#state/agents'
import { lift } from '#client/people/reinstate'
import { cellOfAgent } from '#cli/terminal/opening/cells/intent-cell'

export interface SuspendOptions extends GlobalOptions, SignerOptions {
  readonly op: 'suspend' | 'unsuspend'
  /** Configurations of servers to take it out of. */
  readonly disconnect?: readonly string[]
}

export async function suspend(id: string, options: SuspendOptions): Promise<number> {
  const { disconnect: files } = options
  if (files === undefined) return suspendOnLog(id, options)
  // In an emergency the log may be slow, or out of reach.
  const { disconnect } = await import('./disconnect.ts')
  await disconnect(id, files, options)
  try {
    return await suspendOnLog(id, options)
  } catch (error) {
    const again = hintsFor(options, configuration())(`suspend ${shellWord(id)}`)
    note(`warrant: ${id} is not suspended on the log: reload the servers, then run \`${again}\``)
    throw error
  }
}

async function suspendOnLog(id: string, options: SuspendOptions): Promise<number> {
  return withRuntime(options, {}, async (runtime) => {
    const { catalog, catalogRevision } = runtime.follower.state
    const suspended = options.op === 'suspend'
    const isSo = principalIn(catalog, id).suspended === suspended
    const revision = isSo ? catalogRevision : await press(runtime, id, options)
    if (options.json === true) await printJson({ id, suspended, revision, changed: !isSo })
    else await print(linesFor(runtime, id, { suspended, revision, isSo }))
    return exitCodes.yes
  })
}

async function press(runtime: Runtime, id: string, options: SuspendOptions): Promise<number> {
  const { op } = options
  const author = await findPolicyAdmin(signerChoice(runtime, options))
  const what =
    op === 'suspend' ? 'every open and future intent of it is refused' : 'it may ask again'
  const lines = [`${op} ${id}: ${what}`]
  await demandAgreement(options, { lines, as: author.id })
  const changed = await change(runtime, { kind: 'catalog', operations: [{ op, id }] }, author)
  return changed.revision
}

function linesFor(
  { follower }: Runtime,
  id: string,
  done: { readonly suspended: boolean; readonly revision: number; readonly isSo: boolean },
): readonly Line[] {
  const { suspended, revision, isSo } = done
  if (isSo) {
    const line = `${id} is ${suspended ? 'suspended already' : 'not suspended'}`
    const standing = follower.state.standings.get(token(id))
    const byStanding = !suspended && (standing?.suspendedBy ?? null) !== null
    const hint = `  its standing suspends it: warrant reinstate ${shellWord(id)} --reason TEXT`
    return [`${line}; the catalog was not changed`, ...(byStanding ? [hint] : [])]
  }
  if (!suspended)
    return [toned('good', `${id} may ask again, from catalog revision ${revision} on`)]
  const open = [...follower.state.intents.keys()].filter((address) => {
    return address.startsWith(`${token(id)}.`)
  })
  return [
    toned('bad', `${id} is suspended from catalog revision ${revision} on`),
    '  every open and future intent of it is refused from here on',
    `  open now: ${counted(open.length, 'intent')}`,
    '  a guard no longer redeems what was allowed before; what runs already runs on',
  ]
}

// Shows what stops an agent, and lifts it by a fact that a person signs.

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
    const noted = options.note === undefined ? {} : { note: options.note }
    const by = { by: signer.id, privateKey: signer.privateKey }
    const { name } = await lift(runtime, { agent, ...by, ...noted })
    if (json) await printJson({ agent, lifted: blocks.map((block) => block.name), name })
    else await print([toned('good', `${agent} may ask again`)])
    return exitCodes.yes
  })
}
