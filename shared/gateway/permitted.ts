// From a verdict to a call that may be carried out: read it, derive it, check that what would run
// is what was judged, bind the start, and judge once more where that stands.
import { completedArguments, patternsUnder } from '#rules/catalog/arguments'
import { digestOfJson } from '#record/digest'
import { Fault } from '#record/fault'
import { startRefusal, type StartRefusal } from '#messages/executions/start-refusal'
import type { Capability, JsonObject } from '#schemas/catalog'
import type { VerdictData } from '#schemas/facts'
import type { IntentRef } from '#schemas/values'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { readData } from '#record/event'
import { requestOf } from '#replay/verdicts/request'
import { readVerdict, type Verdict } from '#replay/verdicts/verdict'
import type { Proving } from '#replay/verdicts/proving'
import { refuseLate } from '#replay/verdicts/timely'
import { bindWord } from './words.ts'

type Terms = NonNullable<VerdictData['terms']>

/** A call that was allowed, as it would be carried out. */
export interface Permitted {
  readonly verdict: Verdict
  readonly terms: Terms
  readonly intent: IntentRef
  readonly capability: Capability
  /** As they were judged: with defaults. */
  readonly args: JsonObject
}

/** Throws a Fault for what no gateway may run; nothing is bound yet. */
export async function permittedOn(
  runtime: Runtime,
  proving: Proving,
  address: string,
): Promise<Permitted> {
  const fact = await factAbout(runtime, 'verdict', address)
  if (fact === undefined) throw new Fault('no_verdict', `\`${address}\` has no verdict yet`)
  const { verdict, data } = await readVerdict(runtime.log, fact)
  const { terms, outcome } = verdict
  if (outcome !== 'allow' || terms === null) {
    const why = verdict.reasons.map(({ code }) => code).join(', ') || 'it was only observed'
    throw new Fault('not_allowed', `\`${address}\` is not allowed: ${why}`)
  }
  await runtime.follower.reached(fact.position)
  refuseLate(verdict, null)
  await proving.prove(verdict)
  const capability = await capabilityAsJudged(runtime, terms.capability, data.catalogRevision)
  const args = await argumentsOf(runtime, address, capability)
  if (digestOfJson(args) !== terms.executedDigest) {
    throw new Fault('warrant_differs', `what \`${address}\` would run is not what was judged`)
  }
  return { verdict, terms, intent: data.intent, capability, args }
}

// What was allowed was allowed of this capability as it stood: where it, or a server of tools, was
// changed since, another thing would run.
async function capabilityAsJudged(
  { log, follower }: Runtime,
  id: string,
  revision: number,
): Promise<Capability> {
  const { state } = follower
  const capability = state.catalog.capabilities.get(id)
  if (capability?.driver === undefined) {
    const what = `no gateway carries \`${id}\` out`
    throw new Fault('not_for_gateway', `${what}: give it a \`driver\` in the catalog`)
  }
  for (let number = revision + 1; number <= state.catalogRevision; number += 1) {
    const change = readData(
      'catalog',
      await factAbout({ log, follower }, 'catalog', String(number)),
    )
    const touches = change?.operations.some((operation) => {
      if (operation.op === 'set') return operation.key === 'servers'
      if (operation.op !== 'put' && operation.op !== 'remove') return false
      const changed = operation.op === 'put' ? operation.entry.id : operation.id
      return operation.collection === 'capabilities' && changed === id
    })
    if (touches === true) {
      const what = `\`${id}\` was changed in the catalog after the verdict`
      throw new Fault('capability_changed', `${what}: ask again`)
    }
  }
  return capability
}

async function argumentsOf(
  runtime: Runtime,
  address: string,
  capability: Capability,
): Promise<JsonObject> {
  const request = requestOf(await factAbout(runtime, 'vlp', address), address)
  if (request.tool !== capability.id) {
    throw new Fault('warrant_differs', `\`${address}\` is for \`${request.tool}\``)
  }
  return completedArguments(
    capability,
    { ...request.args },
    patternsUnder(runtime.follower.state.catalog),
  )
}

/** The call as it was begun: `refusal` where it must be ended without being carried out. */
export interface StartedCall {
  readonly startedAt: number
  readonly refusal: StartRefusal | null
}

/** Binds the start. Throws a Fault `warrant_used` where there is one already. */
export async function begin(
  runtime: Runtime,
  { verdict, terms, intent, capability }: Permitted,
  said: { readonly gateway: string; readonly until: number; readonly token?: string },
): Promise<StartedCall> {
  const { gateway, until, token } = said
  const { address } = intent
  const { appended, fact } = await bindWord(runtime, 'start', {
    gateway,
    intent,
    said: {
      gateway,
      capability: capability.id,
      executed: terms.executedDigest ?? '',
      until: new Date(until).toISOString(),
      verdict: verdict.name,
      ...(token !== undefined && { token }),
    },
  })
  if (!appended) {
    throw new Fault('warrant_used', `the warrant of \`${address}\` was used already`)
  }
  await runtime.follower.reached(fact.position)
  const startedAt = fact.appendedAt
  return {
    startedAt,
    refusal: refusalNow(runtime, { verdict, terms, intent, capability }, startedAt),
  }
}

/** What stops a call that began then, as far as the log is folded. */
function refusalNow(
  { follower }: Runtime,
  { verdict, terms, intent, capability }: Omit<Permitted, 'args'>,
  startedAt: number,
): StartRefusal | null {
  const decidedAt = verdict.origin.appendedAt
  const { name, position, grants } = verdict
  const { chain } = terms
  const bounds = { capability: capability.id, useBy: Date.parse(terms.useBy), chain, grants }
  const { address } = intent
  const of = { address, verdict: name, ...bounds, position, decidedAt, startedAt }
  return startRefusal(follower.state, of)
}

/**
 * A call that another gateway began, permitted still: nothing was bound since that would stop it.
 * Throws a Fault where it is not, or where its start is not of this verdict.
 */
export async function begunPermitted(
  runtime: Runtime,
  proving: Proving,
  address: string,
): Promise<Permitted> {
  const fact = await factAbout(runtime, 'start', address)
  const data = readData('start', fact)
  const found = await permittedOn(runtime, proving, address)
  const { verdict, terms } = found
  const isOfIt = data?.verdict === verdict.name && data.executed === terms.executedDigest
  if (fact === undefined || !isOfIt) {
    throw new Fault('warrant_differs', `what was begun of \`${address}\` is not what was allowed`)
  }
  const refusal = refusalNow(runtime, found, fact.appendedAt)
  if (refusal === null) return found
  throw stopped(refusal, address, 'was stopped after it had begun')
}

/** `what` became of the call, so that a person reads why as well. */
export function stopped(refusal: StartRefusal, address: string, what: string): Fault {
  return new Fault(refusal, `\`${address}\` ${what}: ${whyStopped[refusal]}`)
}

const whyStopped: { readonly [Code in StartRefusal]: string } = {
  agent_suspended: 'its agent, or one for whom it acts, is suspended',
  capability_suspended: 'its tool is suspended until a person has looked at it',
  warrant_expired: 'its warrant was good until before that; ask again',
  warrant_revoked: 'its warrant was taken back, and `warrant revocations` shows why',
}
