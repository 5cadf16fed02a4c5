import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkMessage } from '#messages/check'
import { gateOf, integrityOf } from '#messages/check'
import { check, codes, places, sample } from '../support/samples/vlp-sample.ts'

const level = (name: string): Readonly<Record<string, unknown>> => ({
  safety: { level: name, issues: [] },
})

const known = { knownConstraints: ['known'] }
const integrity = (changes: object): number => checkMessage(sample({ ...changes }), known).integrity

test.each([
  [{}, 50],
  [{ provenance: ['a'] }, 62],
  [{ provenance: ['a', 'b'] }, 74],
  [{ provenance: ['a', 'b', 'c'] }, 86],
  [{ provenance: ['a', 'b'], constraints: ['known'] }, 83],
  [{ provenance: ['a', '', { ref: ' ' }] }, 62],
  [{ constraints: ['known'] }, 59],
  [{ constraints: ['other'] }, 40],
  [{ constraints: ['other', 'known'] }, 49],
  [{ constraints: ['Known'] }, 40],
  [{ constraints: [''] }, 40],
  [{ constraints: Array(6).fill('other') }, 0],
  [{ provenance: Array(9).fill('a') }, 100],
])('%j gives %i hundredths', (changes, expected) => {
  expect(integrity(changes)).toBe(expected)
  expect(checkMessage(sample({ ...changes }), known).debt).toBe(100 - expected)
})

test('an empty list makes no constraint unknown, and a blank one never known', () => {
  expect(check({ constraints: ['other', 'any'] }).integrity).toBe(68)
  expect(check({ constraints: ['', ' '] }).integrity).toBe(50)
})

test.each([
  [100, 'pass'],
  [75, 'pass'],
  [74, 'review'],
  [50, 'review'],
  [49, 'fail'],
  [0, 'fail'],
])('%i hundredths is the gate %s', (hundredths, gate) => {
  expect(gateOf(hundredths)).toBe(gate)
})

test('it is an integer from 0 to 100 for any counts', () => {
  const count = fc.nat(100_000)
  fc.assert(
    fc.property(count, count, count, (provenance, knownCount, unknown) => {
      const found = integrityOf({ provenance, known: knownCount, unknown })
      expect(Number.isInteger(found) && found >= 0 && found <= 100).toBe(true)
    }),
  )
})

test('a failed gate raises safe to review and reports it', () => {
  const found = checkMessage(sample({ constraints: ['other'] }), known)
  expect(places(found)).toEqual(['low_integrity_gate /constraints'])
  expect(found).toMatchObject({ outcome: 'review', gate: 'fail', safetyLevel: 'review' })
})

test('a failed gate never lowers a level', () => {
  const of = (name: string) => checkMessage(sample({ constraints: ['x'], ...level(name) }), known)
  expect(of('block')).toMatchObject({ gate: 'fail', safetyLevel: 'block', outcome: 'fail' })
  expect(of('review')).toMatchObject({ gate: 'fail', safetyLevel: 'review', outcome: 'review' })
  expect(codes(of('review'))).toEqual(['safety_review'])
})

test('a gate of review changes no outcome', () => {
  expect(check()).toMatchObject({ gate: 'review', outcome: 'pass' })
})
