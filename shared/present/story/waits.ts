// What an intent without a verdict waits for, in words: a stage, the end of a hold, or people and
// until when.
import { unreachable } from '#record/fault'
import { listed } from '#record/quote'
import { approving } from '../approving.ts'
import { duration, utc } from '../wording.ts'
import type { waitedFor, WaitsFor } from '#schemas/waits'

export interface Waits {
  readonly for: (typeof waitedFor)[number]
  /** The people who may still answer. */
  readonly people: readonly string[]
  /** How many of them must agree still, and how many there had to be at first. */
  readonly quorum: number
  readonly needed: number
  /** Who has agreed already. */
  readonly agreed: readonly string[]
  /** Whether agreeing takes a reason of theirs: then it is all that the request lacks. */
  readonly reason: boolean
  /** Until when, in milliseconds since 1970; null where nothing ends by itself. */
  readonly until: number | null
}

/** What waits for no people and for no moment. */
export function waitsOn(what: Exclude<Waits['for'], 'people'>): Waits {
  return { for: what, people: [], quorum: 0, needed: 0, agreed: [], reason: false, until: null }
}

/** Such as ``approval from `ann` until 2026-01-01 09:30 UTC``. */
export function waitsText(waits: Waits): string {
  const until = waits.until === null ? '' : ` until ${utc(waits.until)}`
  switch (waits.for) {
    case 'people':
      return `approval from ${approvers(waits)}${until}`
    case 'learning':
      return `learning to close its gaps${until}`
    case 'stages':
      return 'the stages'
    case 'message':
      return 'its message, which is not in the log as an open intent'
    case 'repeated':
      return 'the stages; what was published later under its address opens nothing'
    case 'log':
      return 'the log, which does not answer'
    case 'grounding':
    case 'policy':
    case 'confirmation':
      return `the ${waits.for} stage`
    default:
      return unreachable(waits.for)
  }
}

/** What it waits for, for programs. */
export function waitsJson(waits: Waits): Waits & { readonly text: string } {
  return { ...waits, text: waitsText(waits) }
}

/** As answers say it. */
export function waitsAnswer(waits: Waits): WaitsFor {
  const { for: what, people, quorum, needed, agreed, reason, until } = waits
  return {
    for: what,
    people: [...people],
    quorum,
    needed,
    agreed: [...agreed],
    reason,
    until: until === null ? null : new Date(until).toISOString(),
  }
}

/** As it was answered. */
export function waitsRead(waits: WaitsFor): Waits {
  return { ...waits, until: waits.until === null ? null : Date.parse(waits.until) }
}

/** No verdict came: what is missing, and how people answer. For them it may not have waited. */
export function undecidedText(address: string, waits: Waits, waitMs: number): string {
  const isAsked = waits.for === 'people'
  const head = isAsked ? 'no verdict yet' : `timed out after ${duration(waitMs)}`
  const answer = `; approve it with \`warrant ${approving(address, waits.reason)}\``
  const next = isAsked ? answer : runningText(waits.for)
  return `${head}: intent \`${address}\` waits for ${waitsText(waits)}${next}`
}

/** Asks whether the stage that has to act runs. */
export function runningText(what: Waits['for']): string {
  if (!isStage(what)) return ''
  return what === 'stages' ? '; are they running?' : '; is it running?'
}

/** Whether one of the stages has to act. */
export function isStage(what: Waits['for']): boolean {
  return ['grounding', 'policy', 'confirmation', 'stages'].includes(what)
}

function approvers(waits: Waits): string {
  const { people, quorum } = waits
  const who = quorum === 1 ? listed(people, 'or') : `${quorum} of ${listed(people, 'and')}`
  const so = agreedText(waits)
  return so === null ? who : `${who} (${so})`
}

/** How far it is, such as ``1 of 2 approved: `ann` ``; null where no one has. */
export function agreedText({ needed, agreed }: Pick<Waits, 'needed' | 'agreed'>): string | null {
  if (agreed.length === 0) return null
  return `${agreed.length} of ${needed} approved: ${listed(agreed, 'and')}`
}
