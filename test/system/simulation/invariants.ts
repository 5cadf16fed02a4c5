// What must hold after every step, read off the log alone.
import { partsInRealm } from '#record/names'
import { readEvent } from '#record/event'
import { countsIn } from '#state/eras'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import type { Fact } from '#ports/log'

export interface Limit {
  readonly uses: number
  readonly windowMs: number
}

export class Invariants {
  readonly #state = newState({ realm: 'main', era: 1 })
  readonly #limit: Limit
  readonly #names = new Set<string>()
  readonly #verdicts = new Set<string>()
  /** When the uses of one agent's capability were appended, by agent and capability. */
  readonly #uses = new Map<string, number[]>()
  readonly #usedBy = new Set<string>()
  /** Those that a change set followed from. */
  readonly #rulings = new Set<string>()
  readonly intents = new Set<string>()

  constructor(limit: Limit) {
    this.#limit = limit
  }

  /** Throws at the first fact that must not be. */
  check(fact: Fact): void {
    if (this.#names.has(fact.name)) throw new Error(`\`${fact.name}\` is bound twice`)
    this.#names.add(fact.name)
    evolve(this.#state, fact)
    // What came too late for its era counts for nothing, and is bound again in the next.
    if (!countsIn(this.#state.eras, fact)) return
    const parts = partsInRealm(fact.name, 'main')
    if (parts?.kind === 'vlp') this.intents.add(parts.address ?? '')
    if (parts?.kind === 'verdict') this.#checkVerdict(fact, parts.address ?? '')
    if (parts?.kind === 'graph') this.#checkAdded(fact)
    if (parts?.kind === 'rate') this.#checkUse(fact, parts.tokens.slice(0, 2).join('.'))
  }

  get eras(): number {
    return this.#state.eras.length
  }

  get added(): number {
    return this.#rulings.size
  }

  /** Every intent has its verdict, and what people agreed to is in the graph. */
  checkEnd(): void {
    const { learning } = this.#state
    const left = [...learning.open.values()].filter(({ agreed }) => agreed !== null)
    if (left.length > 0) throw new Error(`agreed to and not added: ${left[0]?.name}`)
    const open = [...this.intents].filter((address) => !this.#verdicts.has(address))
    if (open.length > 0) throw new Error(`without a verdict: ${open.join(', ')}`)
  }

  #checkAdded(fact: Fact): void {
    const reading = readEvent('graph', fact)
    const ruling = reading.ok ? reading.event.data.ruling : undefined
    if (ruling === undefined || this.#state.graphRevision !== Number(fact.name.split('.')[3]))
      return
    if (this.#rulings.has(ruling)) throw new Error(`\`${ruling}\` was put in twice`)
    this.#rulings.add(ruling)
  }

  #checkVerdict(fact: Fact, address: string): void {
    if (this.#verdicts.has(address)) throw new Error(`\`${address}\` has two verdicts`)
    this.#verdicts.add(address)
    const reading = readEvent('verdict', fact)
    if (!reading.ok) throw new Error(`\`${fact.name}\`: ${reading.why}`)
    const { data, stamp } = reading.event
    if (data.grounding === null || !this.#names.has(data.grounding)) {
      throw new Error(`\`${fact.name}\` has no grounding before it`)
    }
    if (stamp.basis >= fact.position) throw new Error(`\`${fact.name}\` knew the future`)
    if (data.outcome === 'allow' && !this.#usedBy.has(address)) {
      throw new Error(`\`${fact.name}\` was allowed without taking its use`)
    }
  }

  #checkUse(fact: Fact, key: string): void {
    const reading = readEvent('rate', fact)
    if (!reading.ok) throw new Error(`\`${fact.name}\`: ${reading.why}`)
    const { address } = reading.event.data.intent
    if (this.#usedBy.has(address)) throw new Error(`\`${address}\` took two uses`)
    this.#usedBy.add(address)
    const times = this.#uses.get(key) ?? []
    times.push(fact.appendedAt)
    this.#uses.set(key, times)
    const before = times.at(-1 - this.#limit.uses)
    if (before !== undefined && fact.appendedAt - before < this.#limit.windowMs) {
      throw new Error(`\`${fact.name}\` exceeds the limit`)
    }
  }
}
