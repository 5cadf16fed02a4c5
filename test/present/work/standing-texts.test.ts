// How standings and contracts are read out, and where the points of a standing are drawn.
import { describe, expect, test } from 'vitest'
import { contractOfFact, reinstatedIn } from '#present/work/contract-of-fact'
import { evidenceShown } from '#present/work/evidence-shown'
import { chartText, standingChart } from '#present/work/standing-chart'
import {
  attemptsText,
  contractEndText,
  probationText,
  scoredText,
  standingText,
} from '#present/work/standing-text'

describe('the line of a standing', () => {
  test('begins before the first step, and has one point for each, as far apart', () => {
    const chart = standingChart([
      { before: 0.7, after: 1 },
      { before: 1, after: 0 },
    ])
    const [first, second] = chart.points
    expect(chart.begins?.x).toBe(chart.left)
    expect([first?.x, second?.x]).toEqual([(chart.left + chart.right) / 2, chart.right])
    const [top, foot] = chart.ends
    expect([first?.y, second?.y]).toEqual([top?.y, foot?.y])
    expect(chart.path).toBe(
      `M${chart.begins?.x} ${chart.begins?.y}L${first?.x} ${first?.y}L${second?.x} ${second?.y}`,
    )
  })

  test('has the four levels where they begin, and goes below zero only where it must', () => {
    const above = standingChart([{ before: 0.7, after: 0.4 }])
    expect(above.bounds.map(({ value }) => value)).toEqual([0.8, 0.6, 0.4, 0.2])
    expect(above.bounds.find(({ value }) => value === 0.4)?.y).toBe(above.points[0]?.y)
    expect(above.ends.map(({ value }) => value)).toEqual([1, 0])
    const below = standingChart([{ before: 0.1, after: -0.5 }])
    expect(below.ends.map(({ value }) => value)).toEqual([1, 0, -0.6])
    expect(below.points[0]?.y).toBeGreaterThan(below.ends[1]?.y ?? Infinity)
  })

  test('is one sentence for who does not see it', () => {
    const steps = [
      { before: 0.7, after: 0.79 },
      { before: 0.79, after: 0.253 },
    ]
    expect(chartText(steps, standingText)).toBe(
      '2 steps from 0.70 to 0.25, strict; between 0.25 and 0.79.',
    )
    expect(chartText([], standingText)).toBe('Nothing has moved it yet.')
    expect(standingChart([])).toMatchObject({ begins: null, points: [], path: '' })
  })
})

test('a value has two places, and a minus where it is below zero as it is shown', () => {
  expect([0.7, -0.254, -0.001, 1].map(standingText)).toEqual(['0.70', '−0.25', '0.00', '1.00'])
})

test('scores, probation, attempts and ends are in words', () => {
  expect(scoredText({ score: -1, rule: 'refuted' })).toBe('Score −1.00: refuted')
  expect([0, 1, 3].map(probationText)).toEqual(['none left', '1 task left', '3 tasks left'])
  expect(attemptsText({ looked: 1, pending: 0, attemptsMax: 3 })).toBe('1 of 3 attempts looked at')
  expect(attemptsText({ looked: 0, pending: 2, attemptsMax: 1 })).toBe(
    '0 of 1 attempt looked at, 2 wait',
  )
  expect(contractEndText('time')).toBe('No claim came in time.')
})

describe('evidence', () => {
  test('is what programs wrote, and all else as short texts', () => {
    const stdout = { bytes: 4, digest: 'sha256:a', tail: 'boom' }
    const shown = evidenceShown({ command: ['node', 'x'], exit: 1, votes: [1, 'a'], stdout })
    expect(shown.values).toEqual([
      { name: 'command', text: 'node x' },
      { name: 'exit', text: '1' },
      { name: 'votes', text: '[1,"a"]' },
    ])
    expect(shown.outputs).toEqual([{ of: 'stdout', ...stdout }])
  })

  test('of a program that wrote nothing, or something else, is not there', () => {
    const stderr = { bytes: 0, digest: 'sha256:b', tail: '' }
    expect(evidenceShown({ stderr, stdout: 'gone' })).toEqual({ values: [], outputs: [] })
    const blank = { bytes: 3, digest: 7, tail: ' \n ' }
    expect(evidenceShown({ stdout: blank }).outputs).toEqual([
      { of: 'stdout', bytes: 3, digest: null, tail: null },
    ])
  })
})

test('a fact leads to its contract, or to the standing that it moved', () => {
  const name = 'main.1.verification.grader.-.u1.2'
  expect(contractOfFact({ kind: 'verification', name, content: {} })).toBe('grader.-.u1')
  const message = { kind: 'vlp', name: 'main.1.vlp.grader.-.u1' }
  const stating = (type: string, payload: object) =>
    contractOfFact({ ...message, content: { type, payload: { ...payload } } })
  expect(stating('query', { contract: { taskId: 'T' } })).toBe('grader.-.u1')
  expect(stating('query', { intent: { tool: 'look' } })).toBeNull()
  expect(stating('claim', { contract: {} })).toBeNull()
  const content = { data: { agent: 'bot', by: 'root' } }
  expect(reinstatedIn({ kind: 'reinstatement', name: '', content })).toBe('bot')
  expect(reinstatedIn({ kind: 'note', name: '', content })).toBeNull()
})
