// What a conversation gives calls to rest on: the user's words and the results of tools, each
// published once, in the names of senders that the catalog trusts. The agent's own word does not
// count.
import { digestOf } from '#record/digest'
import { parseJson } from '#record/json'
import { Fault } from '#record/fault'
import type { Verdict } from '#replay/verdicts/verdict'
import type { Agent } from '#client/warrant'
import type { FrameworkCall } from './judged-call.ts'

/** Clients of the senders; what is absent is not published. */
export interface EvidenceSenders {
  /** Speaks as the person, such as by the account of the application. */
  readonly user?: Agent
  /** Speaks for the tools. */
  readonly tools?: Agent
}

interface Where {
  readonly session: string
  readonly receiver: string | null
}

interface Answered {
  readonly call: FrameworkCall
  readonly capability: string
  readonly verdict: Verdict
}

export interface CallEvidence {
  /**
   * Publishes what the user has said in the conversation so far, oldest first; what was published
   * before, in any process, is not again. Throws where it cannot be.
   */
  readonly userSaid: (texts: readonly string[]) => Promise<void>
  /** Publishes what it comes to, as the answer to that call. */
  answered<T>(running: Promise<T>, of: Answered): Promise<T>
}

export function callEvidenceOf(
  { user, tools }: EvidenceSenders,
  { session, receiver }: Where,
): CallEvidence {
  const userSession = user?.session(session)
  const toolSession = tools?.session(session)
  const known = new Set<string>()
  let before: Promise<void> = Promise.resolve()
  const sayAll = async (texts: readonly string[]): Promise<void> => {
    if (user === undefined || userSession === undefined) return
    for (const { text, key } of keyed(texts)) {
      if (known.has(key)) continue
      await user.say(text, { session: userSession, receiver: nameOfAgent(receiver), key })
      known.add(key)
    }
  }
  return {
    userSaid(texts) {
      // In the order of the conversation, though calls are judged at the same time.
      const turn = before.then(() => sayAll(texts))
      before = turn.catch(() => undefined)
      return turn
    },
    async answered(running, { call, capability, verdict }) {
      const value = await running
      if (tools === undefined || toolSession === undefined) return value
      const key = keyOf('result', verdict.intent)
      const to = { session: toolSession, receiver: nameOfAgent(receiver), key }
      const result = { tool: capability, args: { ...call.args }, answers: verdict.name }
      try {
        await tools.toolResult({ ...result, value: asJson(value) }, to)
      } catch (error) {
        // It has run: later calls then lack this evidence, which never allows more.
        process.emitWarning(`the result of \`${verdict.intent}\` is no evidence: ${String(error)}`)
      }
      return value
    },
  }
}

function nameOfAgent(receiver: string | null): string {
  if (receiver !== null) return receiver
  throw new Fault('no_sender', 'say who the agent is: connect({ as: `<principal>` })')
}

/** The same words said twice are two messages; both are found again by their place among equals. */
function keyed(texts: readonly string[]): readonly { text: string; key: string }[] {
  const counts = new Map<string, number>()
  return texts.map((text) => {
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    return { text, key: keyOf('said', `${count} ${text}`) }
  })
}

const keyCharacters = 40

function keyOf(what: string, text: string): string {
  const digest = digestOf(text).slice('sha256:'.length)
  return `${what}-${digest.slice(0, keyCharacters)}`
}

/** As the model will read it: what JSON has no words for is left out. */
export function asJson(value: unknown): unknown {
  return value === undefined ? null : parseJson(JSON.stringify(value))
}
