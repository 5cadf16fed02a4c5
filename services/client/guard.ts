// A guard around a tool: the function runs only on an allow, with exactly the arguments that were
// judged, once, and its outcome is recorded as the agent's own word. It never runs on an error.
import type { JsonMap } from '#schemas/catalog'
import type { DataKind, VerdictData } from '#schemas/facts'
import { Intent as IntentSchema } from '#schemas/intent'
import { jsonOf, type Json } from '#core/canonical'
import { digestOfJson } from '#core/digest'
import { writeEvent } from '#core/event'
import { Fault } from '#core/fault'
import { token } from '#core/names'
import { messageBytesMax, messageDepthMax } from '#core/vlp/check'
import { describeJsonFault, jsonFault } from '#core/vlp/json'
import { bindInEra } from '#runtime/binding'
import type { Runtime } from '#runtime/open'
import type { AskOptions, IntentFields } from './asking.ts'
import { Refused } from './refused.ts'
import type { Verdict } from './verdict.ts'

export type Guarded<A, T> = (
  args: A,
  constraints: NonNullable<VerdictData['terms']>['constraints'],
) => T | Promise<T>

export interface GuardOptions {
  /** False: everything is decided and recorded as observed, and nothing is stopped. */
  readonly enforce?: boolean
}

interface Client {
  readonly runtime: Runtime
  readonly ask: (intent: IntentFields, options?: AskOptions) => Promise<Verdict>
}

interface GuardedCall<A, T> {
  readonly capability: string
  readonly run: Guarded<A, T>
  readonly options: GuardOptions | undefined
}

type CallOptions = AskOptions & Partial<IntentFields>

export function guard<A extends object, T>(
  client: Client,
  guarded: GuardedCall<A, T>,
): (args: A, ask?: CallOptions) => Promise<T> {
  const { capability, run, options } = guarded
  if (options?.enforce === false) return observer(client, guarded)
  return async (given, more = {}) => {
    // What is judged is what runs: the caller may change its own object meanwhile.
    const judged = structuredClone(given)
    const args = argumentsOf(judged)
    const verdict = await asked(client, { ...more, tool: capability, args })
    const { constraints } = await redeemed(client.runtime, verdict, { capability, args })
    return finish(client.runtime, verdict, () => run(judged, constraints))
  }
}

/** So long a tool that is only observed waits for its verdict, unless it says otherwise. */
const observedWaitMsDefault = 5_000

// Whatever the runtime says, or does not, the function runs with what its caller gave it.
function observer<A extends object, T>(
  client: Client,
  { capability, run }: GuardedCall<A, T>,
): (args: A, ask?: CallOptions) => Promise<T> {
  const { runtime } = client
  runtime.logger.warn({ capability }, 'observing only: nothing that this guard decides is enforced')
  return async (given, { waitMs = observedWaitMsDefault, ...more } = {}) => {
    const observed = async (): Promise<Verdict | null> => {
      try {
        const args = argumentsOf(structuredClone(given))
        const intent = { ...more, waitMs, tool: capability, args, observe: true }
        const verdict = await asked(client, intent)
        if (verdict.outcome === 'deny') {
          const codes = verdict.reasons.map(({ code }) => code)
          runtime.logger.warn({ capability, codes }, 'observed: would have been refused')
        }
        return verdict
      } catch (error) {
        runtime.logger.warn({ capability, error }, 'observed: no verdict')
        return null
      }
    }
    return finish(runtime, await observed(), () => run(given, {}))
  }
}

function asked(client: Client, call: AskOptions & IntentFields): Promise<Verdict> {
  const { session, waitMs, message, ...intent } = call
  return client.ask(intent, {
    ...(session !== undefined && { session }),
    ...(waitMs !== undefined && { waitMs }),
    ...(message !== undefined && { message }),
  })
}

// What JSON would drop or change would be judged without it, and run with it.
function argumentsOf(given: object): JsonMap {
  const fault = jsonFault(given, { bytesMax: messageBytesMax, depthMax: messageDepthMax })
  const parsed = IntentSchema.shape.args.safeParse(given)
  if (fault === null && parsed.success) return parsed.data
  const why = fault === null ? 'they are no object' : describeJsonFault(fault)
  throw new Fault('intent_invalid', 'never', `the arguments can not be judged: ${why}`)
}

// Redeems the warrant: whoever binds the name first may act, and only until its last moment.
async function redeemed(
  runtime: Runtime,
  verdict: Verdict,
  call: { readonly capability: string; readonly args: JsonMap },
): Promise<NonNullable<VerdictData['terms']>> {
  const { terms, intent } = verdict
  if (verdict.outcome !== 'allow' || terms === null) throw new Refused(verdict)
  if (
    terms.capability !== call.capability ||
    terms.argsDigest !== digestOfJson(jsonOf(call.args))
  ) {
    throw new Fault('warrant_differs', 'never', `the warrant of \`${intent}\` is for another call`)
  }
  refuseSuspended(runtime, intent)
  const { appended, fact } = await bind(runtime, 'start', intent, { verdict: verdict.name })
  if (!appended) {
    throw new Fault('warrant_used', 'never', `the warrant of \`${intent}\` was used already`)
  }
  if (fact.appendedAt > Date.parse(terms.useBy)) {
    throw new Fault('warrant_expired', 'never', `the warrant was good until ${terms.useBy}`)
  }
  return terms
}

// The stop button stops what was allowed a moment ago, too.
function refuseSuspended({ follower }: Runtime, address: string): void {
  const agent = address.slice(0, address.indexOf('.'))
  for (const { id, suspended } of follower.world.catalog.principals.values()) {
    if (suspended && token(id) === agent) {
      throw new Fault('agent_suspended', 'never', `\`${id}\` was suspended after it was allowed`)
    }
  }
}

async function finish<T>(
  runtime: Runtime,
  verdict: Verdict | null,
  run: () => T | Promise<T>,
): Promise<T> {
  try {
    const value = await run()
    await note(runtime, verdict, { outcome: 'succeeded' })
    return value
  } catch (error) {
    const detail = error instanceof Error ? error.name : 'it threw something that is no error'
    await note(runtime, verdict, { outcome: 'failed', detail })
    throw error
  }
}

// The function has run: that its outcome could not be written down must not hide what it returned.
async function note(
  runtime: Runtime,
  verdict: Verdict | null,
  data: { readonly outcome: string; readonly detail?: string },
): Promise<void> {
  if (verdict === null) return
  try {
    await bind(runtime, 'outcome', verdict.intent, data)
  } catch (error) {
    runtime.logger.error({ intent: verdict.intent, error }, 'outcome not recorded')
  }
}

function bind(
  runtime: Runtime,
  kind: DataKind,
  address: string,
  data: { readonly [key: string]: Json },
) {
  const { clock, follower } = runtime
  const [agent = '', session = ''] = address.split('.')
  const intent = { address, agent, session: session === '-' ? null : session }
  const content = jsonOf({ ...data, intent, ownWord: true })
  const bytes = (name: string): Uint8Array => {
    const time = new Date(clock.now()).toISOString()
    const stamp = { source: `agent/${agent}`, time, basis: follower.world.position }
    return writeEvent(kind, name, content, stamp)
  }
  return bindInEra(runtime, { kind, tokens: [address], bytes })
}
