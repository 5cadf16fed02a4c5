// A guard around a tool: the function runs only on an allow, with exactly the arguments that were
// judged, once, and its outcome is recorded as the agent's own word. It never runs on an error.
import type { JsonObject } from '#schemas/catalog'
import type { VerdictData } from '#schemas/facts'
import { jsonOf } from '#record/canonical'
import { digestOfJson } from '#record/digest'
import { Fault } from '#record/fault'
import { requestOf } from '#replay/verdicts/request'
import type { WaitOptions } from '../asking.ts'
import { about } from '../intent-fault.ts'
import type { Verdict } from '#replay/verdicts/verdict'
import { argumentsOf, copied } from './arguments.ts'
import {
  asked,
  fieldsOf,
  intentFor,
  traced,
  traceFirst,
  type GuardClient,
  type GuardedCall,
} from './calling.ts'
import { callOptions, type CallOptions, type FrameworkContext } from './call-options.ts'
import { finish, noteOutcome } from './finishing.ts'
import { joining } from './joining.ts'
import { Refused } from './refused.ts'

// Observe mode: whatever the runtime says, or does not, the function runs with what its caller gave
// it, and what would have been refused is reported.

/** So long a tool that is only observed waits for its verdict, unless it says otherwise. */
const observedWaitMsDefault = 5_000

function observer<A extends object, T>(
  client: GuardClient,
  guarded: GuardedCall<A, T>,
): (args: A, ask: CallOptions) => Promise<T> {
  const { logger } = client
  const { capability, run, options } = guarded
  logger.warn({ capability }, 'observing only: nothing that this guard decides is enforced')
  return async (given, { waitMs = observedWaitMsDefault, ...more }) => {
    const observed = async (): Promise<Verdict | null> => {
      try {
        const judged = copied(given)
        const args = argumentsOf(judged)
        const intent = intentFor(guarded, judged, { ...more, waitMs, args })
        const verdict = await asked(client, guarded, { ...intent, observe: true })
        await traced(client, guarded, verdict)
        if (verdict.outcome === 'deny') {
          const codes = verdict.reasons.map(({ code }) => code)
          logger.warn({ capability, codes }, 'observed: would have been refused')
        }
        return verdict
      } catch (error) {
        logger.warn({ capability, error }, 'observed: no verdict')
        return null
      }
    }
    const verdict = await observed()
    return finish(client, verdict, { run: () => run(given, {}), describe: options.describe })
  }
}

export interface GuardedTool<A extends object, T> {
  (args: A, ask?: CallOptions): Promise<T>
  /** As a framework calls it: what is no option of a call is left alone. */
  (args: A, context: FrameworkContext): Promise<T>
  /**
   * Runs it for an intent that was asked before, such as by a call that ended in `Pending`: once,
   * with the arguments that were judged. It waits for the verdict as `verdict` does.
   */
  redeem(intent: string, wait?: WaitOptions): Promise<T>
}

export function guard<A extends object, T>(
  client: GuardClient,
  guarded: GuardedCall<A, T>,
): GuardedTool<A, T> {
  const { capability, run, options } = guarded
  const { describe } = options
  const observe = options.enforce === false ? observer(client, guarded) : null
  const join = joining<Verdict, T>(({ intent }) => intent)
  const call = async (given: A, second?: CallOptions | FrameworkContext): Promise<T> => {
    const more = callOptions(second)
    if (observe !== null) return observe(given, more)
    // What is judged is what runs: the caller may change its own object meanwhile.
    const judged = copied(given)
    const args = argumentsOf(judged)
    const intent = intentFor(guarded, judged, { ...more, args })
    const key = client.requestKey(fieldsOf(intent), more.session?.id ?? null)
    const { signal } = intent
    return join({
      key,
      brings: intent.justification === undefined ? 'nothing' : 'reason',
      signal,
      ask: async (left) => {
        const of = signal === undefined ? intent : { ...intent, signal: left }
        return traced(client, guarded, await asked(client, guarded, of))
      },
      act: (verdict) => finished(verdict, judged, args),
    })
  }
  const finished = async (verdict: Verdict, judged: A, args: JsonObject): Promise<T> => {
    const { constraints } = await redeemedTerms(client, verdict, { capability, args })
    return finish(client, verdict, { run: () => run(judged, constraints), describe })
  }
  const redeem = async (intent: string, wait: WaitOptions = {}): Promise<T> => {
    const args = await argumentsIn(client, intent, capability)
    const verdict = await traced(
      client,
      guarded,
      await client.verdict(intent, { ...wait, ...traceFirst(client, guarded, wait) }),
    )
    const { constraints } = await redeemedTerms(client, verdict, { capability, args })
    // What was judged is what such a call was given: the log says it again.
    const again: Rerun<T> = { run }
    return finish(client, verdict, { run: () => again.run(args, constraints), describe })
  }
  return Object.assign(call, { redeem })
}

interface Rerun<T> {
  run(args: object, constraints: JsonObject): T | Promise<T>
}

async function argumentsIn(
  { opening }: GuardClient,
  intent: string,
  capability: string,
): Promise<JsonObject> {
  const { tool, args } = requestOf(await opening(intent), intent)
  if (tool === capability) return { ...args }
  throw new Fault('warrant_differs', `\`${intent}\` is for \`${tool}\`, not for \`${capability}\``)
}

/** What acting on a verdict takes. */
type Acting = Pick<GuardClient, 'redeeming' | 'clock' | 'logger'>

/**
 * Redeems the warrant: anyone who binds the name first may act, and only until its last moment.
 * Throws a Fault, or `Refused`, where nothing may run.
 */
export function redeemedTerms(
  client: Acting,
  verdict: Verdict,
  call: { readonly capability: string; readonly args: JsonObject },
): Promise<NonNullable<VerdictData['terms']>> {
  return about(verdict.intent, () => termsOf(client, verdict, call))
}

async function termsOf(
  client: Acting,
  verdict: Verdict,
  call: { readonly capability: string; readonly args: JsonObject },
): Promise<NonNullable<VerdictData['terms']>> {
  const { redeeming, clock } = client
  const { terms, intent } = verdict
  if (verdict.outcome !== 'allow' || terms === null) throw new Refused(verdict, call.capability)
  if (
    terms.capability !== call.capability ||
    terms.argsDigest !== digestOfJson(jsonOf(call.args))
  ) {
    throw new Fault('warrant_differs', `the warrant of \`${intent}\` is for another call`)
  }
  if (terms.executedDigest !== undefined) {
    const what = `\`${call.capability}\` is carried out by a gateway`
    throw new Fault('gateway_only', `${what}: call it there`)
  }
  await redeeming.prove(verdict)
  // A start that comes too late would be a finding of every replay; the log's clock decides. That
  // it is behind is no reason yet.
  const before = redeeming.refusal(verdict, Math.max(clock.now(), verdict.origin.appendedAt))
  if (before !== null) throw before
  const { appended, appendedAt } = await redeeming.start(verdict)
  if (!appended) {
    throw new Fault('warrant_used', `the warrant of \`${intent}\` was used already`)
  }
  // What was bound before the start counts, and only now all of it is known.
  const refused = redeeming.refusal(verdict, appendedAt)
  if (refused !== null) {
    await noteOutcome(client, verdict, { outcome: 'refused', code: refused.code })
    throw refused
  }
  return terms
}
