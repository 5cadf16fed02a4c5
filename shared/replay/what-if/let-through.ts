// What a change of rules newly lets through, each way with a call that shows it: the stages' own
// deciders stop that call before the change and allow it after, or it is not shown.
import { eachOnce } from '#authoring/allowed/newly'
import type { WayCandidate, Searched, Unclear } from '#authoring/allowed/newly'
import type { Rules } from '#authoring/allowed/guards'
import type { TriedRequest } from '#authoring/allowed/space'
import type { CallbackRunner } from '#ports/callbacks'
import type { Stage } from '#stages/stage'
import { asking, cameTo, type CameTo } from './came-to.ts'
import { tryOut } from './trial.ts'

export interface TrialJudges {
  readonly stages: readonly Stage[]
  readonly callbacks: CallbackRunner
  /** Milliseconds since 1970: when it is asked. */
  readonly at: number
}

/** One way in which calls are let through that were not. */
export interface Way extends Pick<WayCandidate, 'tool' | 'agents' | 'stoppedBy' | 'values'> {
  readonly before: Pick<CameTo, 'outcome' | 'reasons' | 'questions'>
  readonly witness: Witness
}

/** A call that shows it. */
export interface Witness {
  readonly agent: string
  readonly request: TriedRequest
  /** When it has to be asked, where not at any time: RFC 3339. */
  readonly now?: string
  /** So often it was called before. */
  readonly uses?: number
}

export interface LetThrough {
  /** Whether each way there is is among these. */
  readonly isExact: boolean
  readonly ways: readonly Way[]
  readonly cannotTell: readonly (Unclear | TooMany)[]
  /** So many kinds of calls were tried. */
  readonly calls: number
}

interface TooMany {
  readonly tool: null
  readonly cause: 'too_many_ways'
  readonly of: string
}

/** So many ways are shown. */
const waysMax = 100
const triesMax = 8

export async function letThrough(
  before: Rules,
  after: Rules,
  { candidates, cannotTell, calls }: Searched,
  judging: TrialJudges,
): Promise<LetThrough> {
  const ways: Way[] = []
  const unclear: (Unclear | TooMany)[] = [...cannotTell]
  for (const candidate of candidates.slice(0, waysMax)) {
    const way = await shownBy(candidate, before, after, judging)
    if (way !== null) ways.push(way)
    else unclear.push(...unshown(candidate))
  }
  if (candidates.length > waysMax) {
    unclear.push({ tool: null, cause: 'too_many_ways', of: String(candidates.length) })
  }
  return { isExact: unclear.length === 0, ways, cannotTell: eachOnce(unclear), calls }
}

function unshown({ tool, unclear, stoppedBy }: WayCandidate): readonly Unclear[] {
  if (unclear.length > 0) return unclear
  return stoppedBy.map((of) => ({ tool, cause: 'condition', of }))
}

async function shownBy(
  candidate: WayCandidate,
  before: Rules,
  after: Rules,
  judging: TrialJudges,
): Promise<Way | null> {
  const { tool, agents, stoppedBy, values, uses } = candidate
  for (const witness of witnessesOf(candidate, judging.at)) {
    const now = await witnessOutcome(after, witness, judging)
    if (now.outcome !== 'allow') continue
    const { outcome, reasons, questions } = await witnessOutcome(before, witness, judging)
    if (outcome === 'allow') continue
    const was = { outcome, reasons, questions }
    const shown = uses === undefined ? witness : { ...witness, uses }
    return { tool, agents, stoppedBy, values, before: was, witness: shown }
  }
  return null
}

const hourMs = 3_600_000
/** Each hour of a Thursday and of the Saturday after it. */
const hours = Array.from({ length: 48 }, (_, hour) => hour + (hour < 24 ? 0 : 24))
const thursday = Date.UTC(2026, 0, 1)

/** Calls to try, one after the other; at other times where a condition may look at those. */
export function* witnessesOf(
  { agents, requests, unclear, uses }: WayCandidate,
  at: number,
): Iterable<Witness> {
  const [agent = ''] = agents
  const base = { agent, ...(uses !== undefined && { uses }) }
  for (const request of requests.slice(0, triesMax)) yield { ...base, request }
  const [first] = requests
  if (first === undefined || !unclear.some(({ cause }) => cause === 'time')) return
  for (const hour of hours) {
    const time = thursday + hour * hourMs
    if (time === at) continue
    yield { ...base, request: first, now: new Date(time).toISOString() }
  }
}

export async function witnessOutcome(
  { catalog, graph }: Rules,
  { agent, request, now, uses = 0 }: Witness,
  { stages, callbacks, at }: TrialJudges,
): Promise<CameTo> {
  const asked = now === undefined ? at : Date.parse(now)
  const fields = asking(agent, request)
  const earlier = Array.from({ length: uses }, () => ({ fields, at: asked }))
  const base = { catalog, graph, stages, callbacks, session: null }
  return cameTo(await tryOut({ ...base, before: earlier, request: { fields, at: asked } }))
}
