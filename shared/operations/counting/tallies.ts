// Counts what became of intents as the facts about them are folded: by tool, by agent, by reason,
// by who confirmed, and how long it took. What counts for nothing is not counted.
import { readData } from '#record/event'
import type { Folded } from '#state/folded'
import type { Fact } from '#ports/log'
import type { Spread } from '#schemas/operations/counts'
import { askedIn } from '../finding/asked-for.ts'
import type { MeantOptions } from '../finding/filter.ts'
import { isOfAgents, isInTime } from '../finding/meant-of.ts'

/** What became of some intents. */
export interface Tally {
  intents: number
  /** Allowed, those that people agreed to among them. */
  allowed: number
  confirmed: number
  denied: number
  open: number
  /** Of all these: decided, and nothing enforced. */
  observed: number
  /** Denials by their first reason. */
  readonly reasons: Map<string, number>
}

export interface Answers {
  yes: number
  no: number
  /** From being asked to the answer, each in milliseconds. */
  readonly waitsMs: number[]
}

export interface Counted {
  readonly all: Tally
  readonly tools: Map<string, Tally>
  readonly agents: Map<string, Tally>
  readonly confirmers: Map<string, Answers>
  /** From the message to the verdict in milliseconds, without and with people. */
  readonly alone: number[]
  readonly withPeople: number[]
  readonly calls: Map<string, number>
}

interface Followed {
  readonly agent: string
  readonly tool: string
  readonly appendedAt: number
  /** When people were last asked. */
  askedAt: number | null
  isDecided: boolean
}

export function newCounted(): Counted {
  return {
    all: newTally(),
    tools: new Map(),
    agents: new Map(),
    confirmers: new Map(),
    alone: [],
    withPeople: [],
    calls: new Map(),
  }
}

const unnamed = '(none)'

/** Takes each fact once it is folded; `end` counts what is still open. */
export function counting(into: Counted, options: MeantOptions) {
  const followed = new Map<string, Followed>()
  const { tool } = options
  const open = ({ appendedAt, bytes }: Fact, address: string): void => {
    if (!isInTime(options, appendedAt)) return
    const { agent: by, tool: asked, tools = [] } = askedIn({ bytes }, address)
    const named = asked ?? unnamed
    if (!isOfAgents(options, by)) return
    if (tool?.some((each) => each === named || tools.includes(each)) === false) return
    followed.set(address, { agent: by, tool: named, appendedAt, askedAt: null, isDecided: false })
  }
  return {
    take(fact: Fact, { parts, void: why }: Pick<Folded, 'parts' | 'void'>): void {
      const address = parts?.address ?? null
      if (parts === null || address === null || why !== null) return
      if (parts.kind === 'vlp') open(fact, address)
      const intent = followed.get(address)
      if (intent === undefined) return
      switch (parts.kind) {
        case 'review':
          intent.askedAt = fact.appendedAt
          break
        case 'decision':
          countAnswer(into, intent, fact)
          break
        case 'verdict':
          countVerdict(into, intent, fact)
          break
        case 'outcome':
        case 'ownoutcome':
          add(into.calls, readData(parts.kind, fact)?.outcome ?? 'unreadable')
          break
        default:
      }
    },
    /** `isOpen` of an address at the end: a message that asks for nothing is no intent. */
    end(isOpen: (address: string) => boolean): void {
      for (const [address, intent] of followed) {
        if (intent.isDecided || !isOpen(address)) continue
        for (const tally of talliesOf(into, intent)) {
          tally.intents += 1
          tally.open += 1
        }
      }
    },
  }
}

function countAnswer(into: Counted, { askedAt }: Followed, fact: Fact): void {
  const data = readData('decision', fact)
  if (data === null) return
  const { confirmer, answers } = data
  const of = into.confirmers.get(confirmer) ?? { yes: 0, no: 0, waitsMs: [] }
  into.confirmers.set(confirmer, of)
  if (answers.every((answer) => answer)) of.yes += 1
  else of.no += 1
  if (askedAt !== null) of.waitsMs.push(Math.max(0, fact.appendedAt - askedAt))
}

function countVerdict(into: Counted, intent: Followed, fact: Fact): void {
  const data = readData('verdict', fact)
  if (data === null || intent.isDecided) return
  intent.isDecided = true
  const took = intent.askedAt === null ? into.alone : into.withPeople
  took.push(Math.max(0, fact.appendedAt - intent.appendedAt))
  const [first] = data.reasons
  for (const tally of talliesOf(into, intent)) {
    tally.intents += 1
    if (data.observed) tally.observed += 1
    if (data.outcome === 'deny') {
      tally.denied += 1
      add(tally.reasons, first?.code ?? unnamed)
    } else {
      tally.allowed += 1
      if (data.release !== null) tally.confirmed += 1
    }
  }
}

function talliesOf(into: Counted, { agent, tool }: Followed): readonly Tally[] {
  return [into.all, tallyIn(into.tools, tool), tallyIn(into.agents, agent)]
}

function tallyIn(tallies: Map<string, Tally>, key: string): Tally {
  const tally = tallies.get(key) ?? newTally()
  tallies.set(key, tally)
  return tally
}

function newTally(): Tally {
  const none = { intents: 0, allowed: 0, confirmed: 0, denied: 0, open: 0, observed: 0 }
  return { ...none, reasons: new Map() }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export function spreadOf(values: readonly number[]): Spread {
  const [medianMs = null, p95Ms = null, maxMs = null] = quantiles(values, [0.5, 0.95, 1])
  return { count: values.length, medianMs, p95Ms, maxMs }
}

/** The smallest value that so large a part of them does not exceed, for each part. */
export function quantiles(
  values: readonly number[],
  parts: readonly number[],
): readonly (number | null)[] {
  const inOrder = values.toSorted((one, other) => one - other)
  return parts.map((part) => inOrder[Math.max(0, Math.ceil(inOrder.length * part) - 1)] ?? null)
}
