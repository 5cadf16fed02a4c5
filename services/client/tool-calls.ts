// Calls of tools that a gateway of this process carries out: asked, allowed, run once, and shown as
// a frame.
import type { Frame, FrameMode } from '#firewall/frame'
import type { Json } from '#record/canonical'
import { agentIn, token } from '#record/names'
import { Fault } from '#record/fault'
import type { AnsweringGateway, CallAnswer } from '#gateway/answering'
import type { DryRun } from '#gateway/gateway'
import type { Verdict } from '#replay/verdicts/verdict'
import type { AskOptions, IntentFields, WaitOptions } from './asking.ts'
import { Refused } from './guard/refused.ts'
import { senderOf, type Speaker } from './publishing.ts'

export interface ToolCallOptions extends AskOptions {
  /** How much the agent gets; `summary` if absent, and `raw` for its role alone. */
  readonly mode?: FrameMode
  /** Aborts the call; what has begun is ended and recorded. */
  readonly signal?: AbortSignal
  /** Takes the parts of a result that streams, redacted. */
  readonly onPart?: (part: Json) => void
}

/** What carries calls out, in this process or over HTTP. */
export type CallingGateway = Pick<AnsweringGateway, 'call' | 'dryRun' | 'expand' | 'close'>

export interface ToolCaller {
  /**
   * Asks, and has what is allowed carried out, once: by the gateway of this process, or by the one
   * that `connect` was given over HTTP. Given an
   * address, it carries out what was asked before. Throws `Refused` for a deny, `Pending` like
   * `ask`, and a Fault `tool_failed` or `outcome_unknown` where the tool did not succeed.
   */
  call(intent: IntentFields | string, options?: ToolCallOptions): Promise<CallAnswer>
  /** What the call of an allowed intent would do; nothing is bound, and nothing is done. */
  dryRun(intent: string): Promise<DryRun>
  /**
   * More of a result, by the handle of its frame: `offset`, `limit`, `fields`, `filter`. Throws a
   * Fault `handle_refused` for what may not be shown now.
   */
  expand(handle: string, query?: object): Promise<Frame>
}

interface CallerParts {
  readonly speaker: Speaker
  readonly ask: (intent: IntentFields, options?: AskOptions) => Promise<Verdict>
  readonly verdict: (address: string, wait?: WaitOptions) => Promise<Verdict>
  /** Opened with the first call. */
  readonly gateway: () => Promise<CallingGateway>
}

export function toolCaller({ speaker, ask, verdict, gateway }: CallerParts): ToolCaller {
  return {
    async call(intent, { mode, signal, onPart, ...asking } = {}) {
      const presenter = senderOf(speaker)
      // It is there before the verdict is: so that one is derived as it comes.
      const opened = await gateway()
      const isOwn = typeof intent !== 'string' || agentIn(intent) === token(presenter)
      if (!isOwn) throw new Fault('not_yours', 'it is an intent of another agent')
      const waiting = { ...asking, ...(signal !== undefined && { signal }) }
      const found =
        typeof intent === 'string' ? await verdict(intent, waiting) : await ask(intent, waiting)
      if (found.outcome !== 'allow') throw new Refused(found, toolOf(intent))
      return opened.call({
        intent: found.intent,
        presenter,
        ...(mode !== undefined && { mode }),
        ...(signal !== undefined && { signal }),
        ...(onPart !== undefined && { onPart }),
      })
    },
    dryRun: async (intent) => (await gateway()).dryRun({ intent, presenter: senderOf(speaker) }),
    async expand(handle, query = {}) {
      return (await gateway()).expand({ handle, caller: senderOf(speaker), query })
    },
  }
}

function toolOf(intent: IntentFields | string): string {
  return typeof intent === 'string' ? intent : intent.tool
}
