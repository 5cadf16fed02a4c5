import { expect, test } from 'vitest'
import { dayOf, partOfDay, stepsADay, type Scenario } from '../../bench/realm/day.ts'

const small: Scenario = {
  seed: 7,
  cells: 2,
  agents: 500,
  verdictsADay: 40_000,
  askedPart: 0.01,
  waitMs: 600_000,
  movesADay: 5,
  changesADay: 5,
  eraFacts: 9_000,
}
const factsEach = 3

test('the parts of a day are one day', () => {
  const parts = Array.from({ length: stepsADay }, (_, step) => partOfDay(step))
  expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 9)
  expect(Math.min(...parts)).toBeGreaterThan(0)
})

test('cells together have all agents and all verdicts, each once, and no fact is lost', () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const day = dayOf({ ...small, seed }, factsEach)
    const total = (of: (cell: (typeof day.cells)[number]) => number) =>
      day.cells.reduce((sum, cell) => sum + of(cell), 0)
    expect(day.cells).toHaveLength(small.cells)
    expect(total(({ agents }) => agents)).toBe(small.agents)
    expect(total(({ verdicts }) => verdicts)).toBe(day.verdicts)
    expect(total(({ turns }) => turns)).toBe(day.turns)
    // Of a day of 40 000, the square root twelve times.
    expect(Math.abs(day.verdicts - small.verdictsADay)).toBeLessThan(12 * 200)
    for (const cell of day.cells) {
      const stepMost = cell.verdictsMost * factsEach
      // An era takes what its last step brings, and no turn comes before it is full.
      expect(cell.turns).toBeLessThanOrEqual((cell.verdicts * factsEach) / small.eraFacts)
      expect(cell.namesMost).toBeGreaterThanOrEqual(
        Math.min(cell.verdicts * factsEach, small.eraFacts),
      )
      expect(cell.verdicts).toBeLessThanOrEqual(cell.verdictsMost * stepsADay)
      expect(stepMost).toBeGreaterThan(0)
      expect(cell.turnMsLeast ?? Infinity).toBeGreaterThanOrEqual(3_600_000)
    }
  }
})

test('a seed gives the same day, and another seed another', () => {
  expect(dayOf(small, factsEach)).toEqual(dayOf(small, factsEach))
  expect(dayOf({ ...small, seed: 8 }, factsEach)).not.toEqual(dayOf(small, factsEach))
})
