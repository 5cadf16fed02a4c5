// A guard around a tool: the function runs only on an allow, with exactly the arguments that were
// judged, once, and its outcome is recorded as the agent's own word. It never runs on an error.
import type { DataKind, VerdictData } from '#schemas/facts'
import { Intent as IntentSchema } from '#schemas/intent'
import { jsonOf, type Json } from '#core/canonical'
import { writeEvent } from '#core/event'
import { Fault } from '#core/fault'
import { nameOf, token } from '#core/names'
import type { Runtime } from '#runtime/open'
import type { AskOptions, IntentFields } from './asking.ts'
import type { Warrant } from './connect.ts'
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
  readonly ask: Warrant['ask']
}

export function guard<A extends object, T>(
  client: Client,
  guarded: {
    readonly capability: string
    readonly run: Guarded<A, T>
    readonly options: GuardOptions | undefined
  },
): (args: A, ask?: AskOptions & Partial<IntentFields>) => Promise<T> {
  const { capability, run, options } = guarded
  const observe = options?.enforce === false
  if (observe) {
    const fields = { capability }
    client.runtime.logger.warn(
      fields,
      'observing only: nothing that this guard decides is enforced',
    )
  }
  return async (given, { session, waitMs, message, ...more } = {}) => {
    // What is judged is what runs: the caller may change its own object meanwhile.
    const judged = structuredClone(given)
    const args = IntentSchema.shape.args.parse(judged)
    const intent = { ...more, tool: capability, args, ...(observe && { observe }) }
    const asked = client.ask(intent, {
      ...(session !== undefined && { session }),
      ...(waitMs !== undefined && { waitMs }),
      ...(message !== undefined && { message }),
    })
    const verdict = observe ? await observed(client, capability, asked) : await asked
    if (!observe) await begin(client.runtime, verdict)
    return finish(client.runtime, verdict, () => run(judged, verdict?.terms?.constraints ?? {}))
  }
}

async function observed(
  { runtime }: Client,
  capability: string,
  asked: Promise<Verdict>,
): Promise<Verdict | null> {
  try {
    const verdict = await asked
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

// Redeems the warrant: whoever binds the name first may act, and only until its last moment.
async function begin(runtime: Runtime, verdict: Verdict | null): Promise<void> {
  if (verdict === null) throw new Fault('no_verdict', 'never', 'there is no verdict to act on')
  if (verdict.outcome !== 'allow' || verdict.terms === null) throw new Refused(verdict)
  refuseSuspended(runtime, verdict.intent)
  const data = { verdict: verdict.name }
  const { appended, fact } = await bind(runtime, 'start', verdict.intent, data)
  if (!appended) {
    throw new Fault(
      'warrant_used',
      'never',
      `the warrant of \`${verdict.intent}\` was used already`,
    )
  }
  if (fact.appendedAt > Date.parse(verdict.terms.useBy)) {
    throw new Fault('warrant_expired', 'never', `the warrant was good until ${verdict.terms.useBy}`)
  }
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
  const { log, place, clock, follower } = runtime
  const name = nameOf(place, kind, address)
  const [agent = '', session = ''] = address.split('.')
  const intent = { address, agent, session: session === '-' ? null : session }
  const time = new Date(clock.now()).toISOString()
  const stamp = { source: `agent/${agent}`, time, basis: follower.world.position }
  const content = jsonOf({ ...data, intent, ownWord: true })
  return log.append({ name, bytes: writeEvent(kind, name, content, stamp) })
}
