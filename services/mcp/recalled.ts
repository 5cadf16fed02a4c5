// What people have allowed for calls of a proxy before this one, and no one has used: a host starts
// its servers again with each session, and people take longer than that.
import { newestRules } from '#rules/catalog/rules-version'
import { digestOfJson } from '#record/digest'
import { readData } from '#record/event'
import { isOutOfTime } from '#messages/executions/start-refusal'
import { requestKey } from '#state/request-key'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import type { JsonObject } from '#schemas/catalog'
import { askedBefore } from '#client/doors/door-agent'

export interface RecalledOf {
  readonly runtime: Runtime
  readonly agent: string
  readonly session: string | null
}

/** What makes calls equal. */
export function sameCallKey(call: { readonly tool: string; readonly args: JsonObject }): string {
  return digestOfJson({ tool: call.tool, args: call.args })
}

/**
 * Gives the intent of that call once, and null where there is none. The log is looked through at
 * the first call, and again where it was out of reach.
 */
export function recalledOn(of: RecalledOf): (key: string) => Promise<string | null> {
  let loading: Promise<Map<string, string>> | null = null
  const load = async (): Promise<Map<string, string>> => {
    loading ??= askedOf(of)
    try {
      return await loading
    } catch (error) {
      loading = null
      throw error
    }
  }
  return async (key) => {
    const asked = await load()
    const intent = asked.get(key) ?? null
    asked.delete(key)
    return intent !== null && (await isUsable(of.runtime, intent)) ? intent : null
  }
}

/** The latest of each call. */
async function askedOf({ runtime, agent, session }: RecalledOf): Promise<Map<string, string>> {
  const by = { rules: newestRules }
  const asked = new Map<string, string>()
  for await (const { intent, request } of askedBefore(runtime, { principal: agent, session })) {
    const call = { tool: request.tool, args: request.args }
    const key = requestKey(by, intent, request)
    // What was asked with more, such as for another, is not this call.
    if (key === null || key !== requestKey(by, intent, call)) continue
    asked.set(sameCallKey(call), intent)
  }
  return asked
}

async function isUsable(runtime: Runtime, intent: string): Promise<boolean> {
  const fact = await factAbout(runtime, 'verdict', intent)
  const verdict = readData('verdict', fact)
  if (fact === undefined || verdict?.outcome !== 'allow' || verdict.terms === null) return false
  const useBy = Date.parse(verdict.terms.useBy)
  const startedAt = runtime.logClock.now()
  if (isOutOfTime({ useBy, decidedAt: fact.appendedAt, startedAt })) return false
  const started = await factAbout(runtime, 'start', intent)
  return started === undefined && (await factAbout(runtime, 'ownstart', intent)) === undefined
}
