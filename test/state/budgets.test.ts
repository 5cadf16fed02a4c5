// What is used of budgets as the fold keeps it: the same as counting all of it again each time,
// bounded, and under names that no one makes twice.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Budget } from '#schemas/budgets/budget'
import { CatalogFile, type Arrival } from '#schemas/catalog'
import { amountText, wholeUnit } from '#rules/budgets/decimal'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { cellOf } from '#rules/catalog/cells'
import { arrivalFault, countedFor, takeArrivals } from '#state/arrivals'
import {
  addBudgetUse,
  copyOfBudgets,
  dropPassed,
  giveBack,
  keyUsesIn,
  takeBudgetNumber,
  usesOf,
  usesOfAgentMax,
  waitForAmount,
  type AllBudgetUses,
} from '#state/slices/budgets/budgets'
import { resetClock } from '#state/eras/reset'
import { readSnapshot } from '#state/eras/restore'
import { writeSnapshot } from '#state/eras/genesis'
import { newState, type State } from '#state/state'
import { count } from '../support/vitest/counts.ts'

const windowMs = 100
const budget = 'payments'

function use(all: AllBudgetUses, key: string, at: number, amount: bigint, address = ''): number {
  const taken = { budget, key }
  const number = keyUsesIn(all, taken).sequence.next
  addBudgetUse(all, budget, { agent: 'bot', key, address, at, amount })
  takeBudgetNumber(all, taken, number)
  return number
}

const pass = (all: AllBudgetUses, now: number): void => dropPassed(all, now, () => windowMs)
const total = (all: AllBudgetUses, key: string): bigint => keyUsesIn(all, { budget, key }).total

describe('what is used', () => {
  const step = fc.oneof(
    fc.record({
      is: fc.constant('use' as const),
      key: fc.constantFrom('a', 'b'),
      amount: fc.bigInt(1n, 9n),
    }),
    fc.record({ is: fc.constant('back' as const), which: fc.nat(20) }),
    fc.record({ is: fc.constant('pass' as const), ms: fc.nat(60) }),
  )

  test('is what the window counts, whatever is taken, given back and passed', () => {
    const steps = fc.array(step, { maxLength: 60 })
    fc.assert(
      fc.property(steps, (taken) => {
        const all: AllBudgetUses = new Map()
        let now = 1_000
        let known: { key: string; at: number; amount: bigint; address: string }[] = []
        const names = new Set<string>()
        for (const [index, one] of taken.entries()) {
          if (one.is === 'pass') now += one.ms
          pass(all, now)
          if (one.is === 'use') {
            const before = keyUsesIn(all, { budget, key: one.key })
            const seen = [before.total, usesOf(before).length]
            const name = `${one.key}.${use(all, one.key, now, one.amount, `i${index}`)}`
            expect(names.has(name)).toBe(false)
            names.add(name)
            known.push({ ...one, at: now, address: `i${index}` })
            // A value that was read before is still what it was.
            expect([before.total, usesOf(before).length]).toEqual(seen)
          }
          const back = one.is === 'back' ? known[one.which % Math.max(1, known.length)] : undefined
          if (back !== undefined) {
            giveBack(all, back.address, [{ budget, key: back.key }])
            known = known.filter((other) => other !== back)
          }
          for (const key of ['a', 'b']) {
            const standing = known.filter((other) => other.key === key && other.at + windowMs > now)
            expect(total(all, key)).toBe(standing.reduce((sum, { amount }) => sum + amount, 0n))
            expect(usesOf(keyUsesIn(all, { budget, key })).map(({ at }) => at)).toEqual(
              standing.map(({ at }) => at),
            )
          }
          const held = known.filter((other) => other.at + windowMs > now).length
          expect(all.get(budget)?.byAgent.get('bot') ?? 0).toBe(held)
          expect(all.get(budget)?.keys.size ?? 0).toBeLessThanOrEqual(held)
        }
      }),
      { numRuns: count(1_000, 200) },
    )
  })

  test('is kept for no key that no window counts, however many there were', () => {
    const all: AllBudgetUses = new Map()
    for (let index = 0; index < 5_000; index += 1) {
      pass(all, index)
      use(all, `k${index}`, index, 1n)
    }
    const of = all.get(budget)
    expect(of?.keys.size).toBeLessThanOrEqual(windowMs)
    expect(of?.byAgent.get('bot')).toBe(of?.keys.size)
    expect(of?.order.length).toBeLessThanOrEqual(2 * 1_024 + 2 * windowMs)
    pass(all, 10_000)
    expect([of?.keys.size, of?.byAgent.size]).toEqual([0, 0])
    // A key that was dropped goes on behind the highest number of any.
    expect(use(all, 'k1', 10_000, 1n)).toBe((of?.floor ?? 0) + 1)
  })

  test('frees as soon as enough of the oldest has passed', () => {
    const all: AllBudgetUses = new Map()
    use(all, 'a', 1_000, 4n)
    use(all, 'a', 1_010, 3n)
    use(all, 'a', 1_020, 3n)
    const wait = (asked: bigint, now = 1_030): number | null => {
      return waitForAmount(keyUsesIn(all, { budget, key: 'a' }), { asked, max: 10n, windowMs }, now)
    }
    expect([wait(1n), wait(4n), wait(5n), wait(10n)]).toEqual([70, 70, 80, 90])
    expect([wait(11n), wait(0n)]).toEqual([null, 0])
    pass(all, 1_099)
    expect(wait(1n, 1_099)).toBe(1)
    pass(all, 1_100)
    expect(wait(4n, 1_100)).toBe(0)
    expect(wait(5n, 1_100)).toBe(10)
  })

  test('of a budget that is gone is dropped, and its numbers are not', () => {
    const all: AllBudgetUses = new Map()
    use(all, 'a', 1_000, 4n)
    dropPassed(all, 1_001, () => null)
    expect(total(all, 'a')).toBe(0n)
    expect(use(all, 'a', 1_002, 4n)).toBe(2)
  })

  test('goes on by itself in a copy', () => {
    const all: AllBudgetUses = new Map()
    use(all, 'a', 1_000, 4n)
    const copy = copyOfBudgets(all)
    use(copy, 'a', 1_001, 1n)
    use(all, 'a', 1_001, 2n)
    pass(copy, 1_100)
    expect([total(all, 'a'), total(copy, 'a')]).toEqual([6n, 1n])
  })
})

const declared: Budget = { name: budget, max: 10, windowMs, per: 'agent' }

function stateWith(budgets: Budget[] = [declared], realm = 'main', cells?: number): State {
  const state = newState({ realm, era: 1 })
  const file = { principals: [{ id: 'bot' }], budgets, ...(cells !== undefined && { cells }) }
  const { catalog } = catalogFromFile(CatalogFile.parse(file))
  if (catalog === undefined) throw new Error('it is a catalog')
  state.catalog = catalog
  state.appendedAt = 1_030
  return state
}

test('a snapshot has all of it, and who restores it writes the same text', () => {
  const state = stateWith()
  use(state.budgets, 'b', 1_000, wholeUnit / 2n, 'bot.-.x')
  use(state.budgets, 'a', 1_010, wholeUnit)
  use(state.budgets, 'b', 1_010, wholeUnit)
  takeBudgetNumber(state.budgets, { budget, key: 'junk' }, 7)
  const text = [...writeSnapshot(state)]
  const restored = readSnapshot(text, { realm: 'main' })
  expect([...writeSnapshot(restored)]).toEqual(text)
  expect(restored.budgets.get(budget)?.order.map(({ at }) => at)).toEqual([1_000, 1_010, 1_010])
  pass(restored.budgets, 1_100)
  expect(['a', 'b'].map((key) => amountText(total(restored.budgets, key)))).toEqual(['1', '1'])
})

test('a clock that is set back moves what was used with it', () => {
  const state = stateWith()
  use(state.budgets, 'a', 1_000, 4n)
  use(state.budgets, 'a', 9_000_000, 3n)
  resetClock(state, { from: 9_000_000, to: 1_050 })
  pass(state.budgets, 1_100)
  expect(total(state.budgets, 'a')).toBe(3n)
  pass(state.budgets, 1_150)
  expect(total(state.budgets, 'a')).toBe(0n)
})

describe('an agent that moves', () => {
  const here = cellOf(stateWith([declared], 'main-c0', 2).catalog, 'bot') ?? 0
  const cell = (index: number, of = declared): State => stateWith([of], `main-c${index}`, 2)
  const arrival = (old: State, at = 1_030): Arrival => {
    const counted = countedFor(old, 'bot', at)
    const from = 1 - here
    return {
      op: 'arrive',
      id: 'bot',
      from,
      at: new Date(at).toISOString(),
      ...counted,
      block: null,
    }
  }

  test('brings along what it used, and it passes there as it would have here', () => {
    const [old, next] = [cell(1 - here), cell(here)]
    use(old.budgets, 'bot', 1_000, wholeUnit * 4n)
    use(next.budgets, 'bot', 900, wholeUnit)
    const said = arrival(old)
    expect(said.budgets).toEqual([{ budget, key: 'bot', uses: [{ at: 1_000, amount: '4' }] }])
    expect(arrivalFault(old, said, { appendedAt: 1_030, block: null })).toBeNull()
    takeArrivals(next, [said], 7)
    expect(amountText(total(next.budgets, 'bot'))).toBe('4')
    pass(next.budgets, 1_100)
    expect(total(next.budgets, 'bot')).toBe(0n)
  })

  test('is found out where it says less, or more', () => {
    const old = cell(1 - here)
    use(old.budgets, 'bot', 1_000, wholeUnit * 4n)
    const { budgets: _, ...less } = arrival(old)
    const more = { ...less, budgets: [{ budget, key: 'bot', uses: [{ at: 1_000, amount: '5' }] }] }
    for (const said of [less, more]) {
      expect(arrivalFault(old, said, { appendedAt: 1_030, block: null })).toBe('budgets')
    }
  })

  test('need not say what passed while it was on its way', () => {
    const old = cell(1 - here)
    use(old.budgets, 'bot', 940, wholeUnit * 4n)
    use(old.budgets, 'bot', 1_000, wholeUnit)
    const said = arrival(old)
    old.appendedAt = 1_045
    pass(old.budgets, 1_045)
    expect(arrivalFault(old, said, { appendedAt: 1_045, block: null })).toBeNull()
  })

  test('leaves behind what each cell counts for itself', () => {
    const old = cell(1 - here, { ...declared, perCell: true })
    use(old.budgets, 'bot', 1_000, wholeUnit)
    expect(arrival(old).budgets).toBeUndefined()
  })
})

test('an agent holds no more than a bounded number of uses', () => {
  expect(usesOfAgentMax).toBe(100_000)
})
