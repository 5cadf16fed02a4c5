// One evaluation of a caller about a subject: an intent that is only asked, and its verdict. All
// doors that answer by a standard ask by this.
import { Fault } from '#record/fault'
import type { Verdict } from '#replay/verdicts/verdict'
import type { Evaluated, Intent, Search, Subject } from '#schemas/intent'
import type { DoorAgent } from '#client/doors/door-agent'

export interface Evaluation {
  readonly tool: string
  readonly args: Intent['args']
  /** Absent of a search for subjects alone. */
  readonly subject?: Subject
  readonly search?: Search
  /** Several that are asked about in one message, which has none of its own. */
  readonly evaluations?: Evaluated[]
  readonly justification?: string
}

/** The verdict on it. Throws a Fault where there is none. */
export type Evaluating = (agent: DoorAgent, evaluation: Evaluation) => Promise<Verdict>

/** So many a caller has open at once; more wait. The fold serves 256 of an agent, at all doors. */
const openMax = 128
/** How long the stages are waited for. */
const waiting = { waitMs: 10_000, onReview: () => false }

/** A server's own: it counts what each caller has open. */
export function evaluatingBy(): Evaluating {
  const lanes = new Map<string, Lane>()
  return async (agent, evaluation) => {
    const principal = agent.principal ?? ''
    const lane = lanes.get(principal) ?? { open: 0, waiting: [] }
    lanes.set(principal, lane)
    await enter(lane)
    try {
      return await agent.ask({ ...evaluation, observe: true }, waiting)
    } finally {
      leave(lane)
      if (lane.open === 0) lanes.delete(principal)
    }
  }
}

interface Lane {
  open: number
  readonly waiting: (() => void)[]
}

async function enter(lane: Lane): Promise<void> {
  if (lane.open < openMax) {
    lane.open += 1
    return
  }
  // Who leaves hands its place on, so the count stays.
  await new Promise<void>((resolve) => lane.waiting.push(resolve))
}

function leave(lane: Lane): void {
  const next = lane.waiting.shift()
  if (next === undefined) lane.open -= 1
  else next()
}

/** Whether people would be asked, and nothing else stands in its way. */
export function wouldAsk({ reasons }: Pick<Verdict, 'reasons'>): boolean {
  const [reason] = reasons
  return reasons.length === 1 && reason?.params.cause === 'not_asked'
}

const idCharactersMax = 256

/**
 * The capability that a type and an action name, such as `record.read`; null where none can be
 * named so. An action has no dot, so that two pairs never name the same.
 */
export function toolOf(type: string, action: string): string | null {
  const id = `${type}.${action}`
  const isOne = id.length <= idCharactersMax && !action.includes('.') && !/[\p{Cc}\p{Cs}]/u.test(id)
  return isOne ? id : null
}

/** Whether a principal can have that id. */
export function canBeId(text: string): boolean {
  return text.length <= idCharactersMax && !/[\p{Cc}\p{Cs}]/u.test(text)
}

/** The code of what went wrong; throws what is no fault. */
export function faultCode(error: unknown): string {
  if (error instanceof Fault) return error.code
  throw error
}
