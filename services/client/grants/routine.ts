// The grant for later calls like one that a person is asked about, as `approve --routine`, `warrant
// dev` and the console offer it: drawn up from the call and what is known of it, by nothing else.
import { jsonOf } from '#record/canonical'
import { Fault } from '#record/fault'
import { groundingOf } from '#runtime/engine/gathering/open-reviews'
import type { Runtime } from '#runtime/engine/runtime'
import { grantToSign } from '#runtime/grants/sign'
import { routineClass, routineOf, type Routine } from '#shell/routine'
import type { OpenIntent } from '#state/intent'
import type { GrantRequest } from './shown.ts'

export interface RoutineAsked {
  readonly intent: OpenIntent
  /** Of the call that its review shows. */
  readonly args: unknown
  /** For commands that begin with these words, and not for this very one alone. */
  readonly prefix?: string | undefined
}

/**
 * Null where it is no call of a coding agent. Throws a Fault `grant_void` for a prefix by which
 * there is no routine.
 */
export async function routineIn(
  runtime: Runtime,
  { intent, args, prefix }: RoutineAsked,
): Promise<Routine | null> {
  const grounding = await groundingOf(runtime, intent)
  return routineOf(jsonOf(args), grounding?.ground?.concepts ?? [], prefix)
}

export interface RoutineBy extends RoutineAsked {
  readonly confirmer: string
}

/** Throws a Fault `grant_void` for what is asked about each time. */
export async function routineGrant(
  runtime: Runtime,
  { confirmer, ...asked }: RoutineBy,
): Promise<GrantRequest> {
  const like = routineClass(await routineIn(runtime, asked))
  return { ...like, intent: asked.intent.address, confirmer }
}

/** Null where that person could not sign it, so that no one is offered it. */
export async function routineOffered(
  runtime: Runtime,
  by: RoutineBy,
): Promise<GrantRequest | null> {
  try {
    const request = await routineGrant(runtime, by)
    const { forMs, ...of } = request
    await grantToSign(runtime, { ...of, until: runtime.clock.now() + forMs })
    return request
  } catch (error) {
    if (error instanceof Fault && error.code === 'grant_void') return null
    throw error
  }
}
