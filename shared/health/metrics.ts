// What Prometheus is given of this process and of the log that it follows. Labels are stages,
// kinds, outcomes and codes, never who or what an intent is; what is never asked for costs a few
// counts.
import { cellIn } from '#record/names'
import type { Kind } from '#schemas/kinds'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { voidsIn, type Folded } from '#state/folded'
import type { Fact } from '#ports/log'
import { approvedIn } from './approved-unused.ts'
import { attentionMeters, countAttention } from './attention-metrics.ts'
import { askHead } from './head.ts'
import type { Observe, Observer, ObserverContext } from '#runtime/engine/observer'
import { notificationLabels, unanswerableIn } from './outreach-metrics.ts'
import { issuesIn, verdictLabels } from './reported.ts'
import { isOutOfStanding } from '#work/contracts/standings'
import type { State } from '#state/state'
import { eraAge } from '#state/eras/due'

export interface Metrics {
  readonly observe: Observe
  /** One more number, which is read when someone asks. */
  gauge(of: { readonly name: string; readonly help: string; readonly read: () => number }): void
  /** Something more that is counted; what it returns counts one. */
  counter<L extends string>(of: {
    readonly name: string
    readonly help: string
    readonly labels: readonly L[]
  }): (labels: Readonly<Record<L, string>>) => void
  /** The media type of the text. */
  readonly type: string
  /** Everything as it stands; what only the log knows is left out while it does not answer. */
  text(): Promise<string>
}

const decisionBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600,
]
const jobBuckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60,
]

export function newMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const meters = metersIn(registry)
  const refreshes: (() => Promise<void>)[] = []
  return {
    observe: (at) => {
      refreshes.push(refreshing(meters, at))
      countFolds(meters, at)
      countAttention(meters.attention, at, ofCell(at))
      refreshes.push(countUnused(meters, at))
      return observerOf(meters, at)
    },
    gauge({ read, ...of }) {
      const gauge = new Gauge({ ...of, registers: [registry] })
      refreshes.push(async () => gauge.set(read()))
    },
    counter({ labels: labelNames, ...of }) {
      const counter = new Counter({ ...of, labelNames, registers: [registry] })
      return (labels) => counter.inc({ ...labels })
    },
    type: registry.contentType,
    async text() {
      await Promise.all(refreshes.map((refresh) => refresh()))
      return registry.metrics()
    },
  }
}

type Meters = ReturnType<typeof metersIn>

/** Where a realm has several cells, each is labelled; one log has no such label. */
type OfCell = { readonly cell?: string }

function ofCell({ place }: Pick<ObserverContext, 'place'>): OfCell {
  const cell = cellIn(place.realm)
  return cell === null ? {} : { cell: String(cell.index) }
}

function metersIn(registry: Registry) {
  const registers = [registry]
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['cell'], registers })
  const counter = <L extends string>(name: string, help: string, labels: readonly L[]) =>
    new Counter({ name, help, labelNames: [...labels, 'cell'], registers })
  const seconds = (name: string, help: string, buckets: readonly number[]) =>
    new Histogram({ name, help, labelNames: ['cell'], buckets: [...buckets], registers })
  return {
    attention: attentionMeters({ counter, seconds }),
    work: { ...workMeters(gauge), ...eraMeters(gauge) },
    logPosition: gauge('warrant_log_position', 'The last position of the log'),
    followerPosition: gauge('warrant_follower_position', 'The position that is folded here'),
    lag: gauge('warrant_follower_lag_facts', 'Facts of the log that are not folded here yet'),
    open: gauge('warrant_open_intents', 'Intents without a verdict'),
    oldest: gauge(
      'warrant_oldest_open_intent_age_seconds',
      'How long the oldest intent without a verdict has been waiting; 0 where there is none',
    ),
    reviews: gauge('warrant_reviews_open', 'Reviews that wait for people'),
    unanswerable: gauge('warrant_reviews_unanswerable', 'Reviews that no one can answer now'),
    notifications: counter(
      'warrant_notifications_total',
      'Attempts to notify people of reviews, folded here',
      ['channel', 'state', 'code'],
    ),
    unused: counter(
      'warrant_approved_unused_total',
      'Calls that people approved here meanwhile and that were not begun in time',
      [],
    ),
    held: gauge('warrant_intents_held', 'Intents that wait for learning'),
    proposals: gauge('warrant_proposals_open', 'Proposals that wait for people'),
    inFlight: new Gauge({
      name: 'warrant_jobs_in_flight',
      help: 'Jobs that are under way here',
      labelNames: ['stage', 'cell'],
      registers,
    }),
    retries: counter('warrant_job_retries_total', 'Jobs that failed and are redelivered', [
      'stage',
    ]),
    done: counter('warrant_jobs_done_total', 'Jobs that were ended', ['stage']),
    faults: counter('warrant_faults_total', 'Jobs that were set aside', ['stage']),
    appends: counter('warrant_appends_total', 'Facts that workers gave to the log', [
      'kind',
      'result',
    ]),
    verdicts: counter('warrant_verdicts_total', 'Verdicts folded, by the reason that heads them', [
      'decision',
      'reason',
    ]),
    issues: counter('warrant_message_issues_total', 'Intents with a VLP issue, by its code', [
      'code',
    ]),
    voids: counter('warrant_void_facts_total', 'Facts folded that count for nothing', ['kind']),
    decisionSeconds: seconds(
      'warrant_decision_seconds',
      'From the message to its verdict, both as the log took them',
      decisionBuckets,
    ),
    jobSeconds: new Histogram({
      name: 'warrant_job_seconds',
      help: 'How long a job took here, waiting included',
      labelNames: ['stage', 'cell'],
      buckets: jobBuckets,
      registers,
    }),
  }
}

// What stands is looked at when someone asks, and costs nothing until then.
function refreshing(meters: Meters, at: ObserverContext) {
  const { log, timer, clock, follower } = at
  const head = askHead(log, timer)
  const of = ofCell(at)
  const { state } = follower
  return async (): Promise<void> => {
    const last = await head()
    const { position, intents } = state
    meters.followerPosition.set(of, position)
    if (last === null) {
      meters.logPosition.remove(of)
      meters.lag.remove(of)
    } else {
      meters.logPosition.set(of, last.position)
      meters.lag.set(of, Math.max(0, last.position - position))
    }
    meters.open.set(of, intents.size)
    // The map keeps the order in which they were opened.
    const [oldest] = intents.values()
    const ageMs = oldest === undefined ? 0 : clock.now() - oldest.appendedAt
    meters.oldest.set(of, Math.max(0, ageMs) / 1_000)
    let reviews = 0
    let held = 0
    for (const { review, hold } of intents.values()) {
      if (review !== null) reviews += 1
      else if (hold !== null) held += 1
    }
    meters.reviews.set(of, reviews)
    meters.held.set(of, held)
    meters.unanswerable.set(of, unanswerableIn(state, clock.now()).length)
    meters.proposals.set(of, state.learning.open.size)
    measureWork(meters.work, state, of)
    measureEra(meters.work, state, { of, now: clock.now() })
  }
}

function countFolds(meters: Meters, at: ObserverContext): void {
  const { follower } = at
  const { state } = follower
  const of = ofCell(at)
  const opened = new Map<string, number>()
  for (const { address, appendedAt } of state.intents.values()) opened.set(address, appendedAt)
  const counting: Partial<Record<Kind, (fact: Fact, of: Counted) => void>> = {
    vlp: ({ appendedAt }, { address }) => {
      if (state.intents.has(address)) opened.set(address, appendedAt)
    },
    grounding: ({ bytes }, { why }) => {
      if (why === null) for (const code of issuesIn(bytes)) meters.issues.inc({ code, ...of })
    },
    notification: (fact) => {
      const labels = notificationLabels(fact)
      if (labels !== null) meters.notifications.inc({ ...labels, ...of })
    },
    verdict: (fact, { address }) => {
      meters.verdicts.inc({ ...verdictLabels(fact), ...of })
      const openedAt = opened.get(address)
      if (openedAt === undefined) return
      opened.delete(address)
      meters.decisionSeconds.observe(of, (fact.appendedAt - openedAt) / 1_000)
    },
  }
  follower.listen((fact: Fact, folded: Folded) => {
    const { parts, void: why, voids } = folded
    for (const { name } of voidsIn(fact, folded)) {
      const kind = name === fact.name ? (parts?.kind ?? 'unknown') : 'vlp'
      meters.voids.inc({ kind, ...of })
    }
    const address = parts?.address ?? ''
    if (voids !== undefined) opened.delete(address)
    if (parts !== null) counting[parts.kind]?.(fact, { address, why })
  })
}

/** What was approved while this looked on, and came to nothing. */
function countUnused(meters: Meters, at: ObserverContext): () => Promise<void> {
  const of = ofCell(at)
  const approved = new Map<string, number>()
  meters.unused.inc(of, 0)
  const begun = (_fact: Fact, address: string): void => void approved.delete(address)
  const taking: Partial<Record<Kind, (fact: Fact, address: string) => void>> = {
    start: begun,
    ownstart: begun,
    verdict: (fact, address) => {
      const call = approvedIn(fact, at.place)
      if (call !== null) approved.set(address, call.useBy)
    },
  }
  at.follower.listen((fact: Fact, { parts, void: why }: Folded) => {
    if (parts !== null && why === null) taking[parts.kind]?.(fact, parts.address ?? '')
  })
  return () => {
    const now = at.clock.now()
    for (const [address, useBy] of approved) {
      if (useBy >= now) continue
      approved.delete(address)
      meters.unused.inc(of)
    }
    return Promise.resolve()
  }
}

/** The address of its intent, and why it is void; null where it counts. */
interface Counted {
  readonly address: string
  readonly why: string | null
}

function observerOf(meters: Meters, at: ObserverContext): Observer {
  const of = ofCell(at)
  const stages = new Map<string, StageMeters>()
  const appends = new Map<string, { inc(): void }>()
  return {
    jobBegun({ stage }) {
      const known = stages.get(stage)
      const { inFlight, seconds, counters } = known ?? metersOf(meters, { stage, ...of })
      if (known === undefined) stages.set(stage, { inFlight, seconds, counters })
      inFlight.inc()
      const begun = performance.now()
      return (ending) => {
        inFlight.dec()
        seconds.observe((performance.now() - begun) / 1_000)
        if (ending !== 'given_back') counters[ending].inc()
      }
    },
    appended(kind, result) {
      const key = `${kind} ${result}`
      const known = appends.get(key) ?? meters.appends.labels({ kind, result, ...of })
      appends.set(key, known)
      known.inc()
    },
  }
}

type StageMeters = ReturnType<typeof metersOf>

// Looking a sequence up by its labels costs more than counting: each is looked up once. Counters
// begin at zero, so that the first time is seen as a rise.
function metersOf(meters: Meters, labels: { readonly stage: string } & OfCell) {
  const counters = {
    done: meters.done.labels(labels),
    retried: meters.retries.labels(labels),
    set_aside: meters.faults.labels(labels),
  }
  for (const each of Object.values(counters)) each.inc(0)
  const [inFlight, seconds] = [meters.inFlight.labels(labels), meters.jobSeconds.labels(labels)]
  return { inFlight, seconds, counters }
}

// The gauges of verified work: contracts that are open, and agents that are out of standing.

interface CellGauge {
  set(of: { readonly cell?: string }, value: number): void
}

interface WorkMeters {
  readonly contracts: CellGauge
  readonly outOfStanding: CellGauge
}

function workMeters(gauge: (name: string, help: string) => CellGauge): WorkMeters {
  return {
    contracts: gauge('warrant_contracts_open', 'Contracts that have not ended'),
    outOfStanding: gauge(
      'warrant_agents_suspended_by_standing',
      'Agents that their standing has suspended',
    ),
  }
}

/** `of`: the label of its cell, where there are several. */
function measureWork(
  { contracts, outOfStanding }: WorkMeters,
  state: State,
  of: { readonly cell?: string },
): void {
  contracts.set(of, state.contracts.size)
  const standings = [...state.standings.values()]
  outOfStanding.set(of, standings.filter(({ agent }) => isOutOfStanding(state, agent)).length)
}

// The gauges of eras: which one a log is in, how full that is, and whether its end is overdue.

interface EraMeters {
  readonly era: CellGauge
  readonly eraFacts: CellGauge
  readonly eraDue: CellGauge
}

function eraMeters(gauge: (name: string, help: string) => CellGauge): EraMeters {
  return {
    era: gauge('warrant_era', 'The current era of the log'),
    eraFacts: gauge('warrant_era_facts', 'Facts of the current era that are folded here'),
    eraDue: gauge(
      'warrant_era_due',
      '1 where the current era is due to be rotated without a person, or is half rotated; else 0',
    ),
  }
}

/** `of`: the label of its cell, where there are several; `now`: by the clock of this machine. */
function measureEra(
  { era, eraFacts, eraDue }: EraMeters,
  state: State,
  { of, now }: { readonly of: { readonly cell?: string }; readonly now: number },
): void {
  const { position, eras, place, sealed } = state
  era.set(of, place.era)
  eraFacts.set(of, Math.max(0, position - (eras.at(-1)?.from ?? position)))
  const at = { position: position + 1, appendedAt: Math.max(state.appendedAt, now) }
  const dueBy = eraAge(state, at)?.dueBy ?? null
  eraDue.set(of, dueBy !== null || sealed !== null ? 1 : 0)
}
