// Why a governed call has not run, as a program and a language model read it: refused with what is
// missing and what would close it, waiting for people, or not decided since something failed.
import { Fault } from '#record/fault'
import { usedModelText } from '#present/story/for-model'
import type { Gap } from '#schemas/graph'
import { IntentFault } from '#client/intent-fault'
import { Refused } from '#client/guard/refused'
import { Pending } from '#client/pending'

export type NotRunAnswer =
  | {
      readonly status: 'refused'
      readonly intent: string
      /** Codes in order, each with how to recover. */
      readonly reasons: readonly { readonly code: string; readonly recover: string }[]
      readonly gaps: readonly Gap[]
      /** What would close the gaps, in sentences; empty where this client cannot read it. */
      readonly fixes: readonly string[]
      readonly text: string
    }
  | {
      readonly status: 'waiting'
      readonly intent: string
      /** `people`, or a stage that has not decided in time. */
      readonly for: string
      readonly people: readonly string[]
      /** In UTC; null where nothing ends by itself. */
      readonly until: string | null
      readonly text: string
    }
  | {
      readonly status: 'failed'
      /** Null where none was published. */
      readonly intent: string | null
      /** Of the fault. */
      readonly code: string
      readonly text: string
    }

/** Thrown in place of a call that has not run. Its message is the text for the model. */
export class NotRun extends Error {
  readonly answer: NotRunAnswer

  constructor(answer: NotRunAnswer, cause: unknown) {
    super(answer.text, { cause })
    this.name = 'NotRun'
    this.answer = answer
  }

  static waiting(pending: Pending): NotRun {
    const { intent, waits } = pending
    const { people, until } = waits
    const ends = until === null ? null : new Date(until).toISOString()
    const text = pending.forModel()
    const answer = { status: 'waiting', intent, for: waits.for, people, until: ends, text } as const
    return new NotRun(answer, pending)
  }

  /** Anything else than a verdict: whatever failed, nothing has run. */
  static of(error: unknown): NotRun {
    if (error instanceof NotRun) return error
    if (error instanceof Pending) return NotRun.waiting(error)
    if (error instanceof Refused) return new NotRun(refusedAnswer(error, []), error)
    const code = error instanceof Fault ? error.code : 'internal_error'
    const intent = error instanceof IntentFault ? error.intent : null
    return new NotRun({ status: 'failed', intent, code, text: failedText(code) }, error)
  }

  /** What the model wrote is not what the tool takes: it may write it again. */
  static invalid(error: unknown): NotRun {
    const why = error instanceof Error ? error.message : 'unreadable'
    const text = `The tool was not run: its arguments are not valid: ${why}`
    return new NotRun({ status: 'failed', intent: null, code: 'intent_invalid', text }, error)
  }

  static async orFault<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      throw NotRun.of(error)
    }
  }
}

export function refusedAnswer(refused: Refused, fixes: readonly string[]): NotRunAnswer {
  const { intent, reasons, gaps } = refused
  const closing = fixes.length === 0 ? [] : ['What people could add:', ...fixes.map(dashed)]
  return {
    status: 'refused',
    intent,
    reasons: reasons.map(({ code, recover }) => ({ code, recover })),
    gaps,
    fixes,
    text: [refused.forModel(), ...closing].join('\n'),
  }
}

const dashed = (line: string): string => `- ${line}`

function failedText(code: string): string {
  if (code === 'warrant_used') return usedModelText
  const what = `The tool was not run: it could not be decided (${code}).`
  return `${what} Report this; do not try around it.`
}
