// A verdict as a program reads it, out of the fact; a void one is never an allow.
import type { RestsOn } from '#schemas/action/grant'
import type { EvaluationResult, SearchFound, VerdictData } from '#schemas/facts'
import type { Gap } from '#schemas/graph'
import type { Reason } from '#schemas/reasons'
import { readData, readEvent, type Stamp } from '#record/event'
import { Fault } from '#record/fault'
import type { Fact, LogReader } from '#ports/log'

export interface Verdict {
  /** The address of the intent: `<agent>.<session>.<ulid>`. */
  readonly intent: string
  /** The name of the fact. */
  readonly name: string
  readonly position: number
  readonly outcome: 'allow' | 'deny'
  readonly reasons: readonly Reason[]
  /** What was not known, of the grounding that the verdict cites. */
  readonly gaps: readonly Gap[]
  /** What an allow permits and until when; null for a deny and for an observed call. */
  readonly terms: VerdictData['terms']
  readonly observed: boolean
  /** Of an allow for a subject: what its call would be bound to. */
  readonly constraints?: NonNullable<VerdictData['constraints']>
  /** Of a search that was answered: what was found, and checks that were not run for it. */
  readonly found?: SearchFound
  /** Of several evaluations in one message: what each comes to, in their order. */
  readonly results?: readonly EvaluationResult[]
  readonly notRun?: NonNullable<VerdictData['notRun']>
  /** Who agreed, where people were asked. */
  readonly confirmedBy: readonly string[]
  /** The grants that answered for people; absent where none did. */
  readonly grants?: readonly RestsOn[]
  /** Who drew it up, when and from what; a guard checks it. */
  readonly origin: Origin
}

export interface Origin {
  readonly source: string
  readonly time: string
  readonly basis: number
  /** By the log's clock. */
  readonly appendedAt: number
  /** How many callbacks were asked. */
  readonly callbacks: number
}

/** Reads the fact and the grounding that it cites. Throws a Fault for a void one. */
export async function verdictOf(log: Pick<LogReader, 'get'>, fact: Fact): Promise<Verdict> {
  return (await readVerdict(log, fact)).verdict
}

/** The same, with what the fact says. */
export async function readVerdict(
  log: Pick<LogReader, 'get'>,
  fact: Fact,
): Promise<{ readonly verdict: Verdict; readonly data: VerdictData }> {
  const reading = readEvent('verdict', fact)
  if (!reading.ok) {
    throw new Fault('verdict_void', `\`${fact.name}\` is void: ${reading.why}`)
  }
  const { data } = reading.event
  if (!fact.name.endsWith(`.verdict.${data.intent.address}`)) {
    throw new Fault('verdict_void', `\`${fact.name}\` is void: its intent is another`)
  }
  return { verdict: await verdictSaying(log, fact, reading.event), data }
}

/** The verdict in a fact that is known to say this. */
export async function verdictSaying(
  log: Pick<LogReader, 'get'>,
  fact: Fact,
  { data, stamp }: { readonly data: VerdictData; readonly stamp: Stamp },
): Promise<Verdict> {
  return {
    intent: data.intent.address,
    name: fact.name,
    position: fact.position,
    outcome: data.outcome,
    reasons: data.reasons,
    gaps: data.outcome === 'allow' ? [] : await gapsOf(log, data),
    terms: data.terms,
    observed: data.observed,
    ...(data.constraints !== undefined && { constraints: data.constraints }),
    ...(data.found !== undefined && { found: data.found }),
    ...(data.results !== undefined && { results: data.results }),
    ...(data.found !== undefined && data.notRun !== undefined && { notRun: data.notRun }),
    confirmedBy: data.release?.confirmedBy ?? [],
    ...(data.grants !== undefined && { grants: data.grants }),
    origin: {
      source: stamp.source,
      time: stamp.time,
      basis: stamp.basis,
      appendedAt: fact.appendedAt,
      callbacks: data.callbacks.length,
    },
  }
}

async function gapsOf(log: Pick<LogReader, 'get'>, data: VerdictData): Promise<readonly Gap[]> {
  if (data.release !== null) return data.release.ground?.gaps ?? []
  const fact = data.grounding === null ? undefined : await log.get(data.grounding)
  const grounding = readData('grounding', fact)
  if (grounding !== null) return grounding.ground?.gaps ?? []
  // Who may not read the grounding has what the reasons say of it.
  return data.reasons.flatMap(({ params }) => params.gaps ?? [])
}
