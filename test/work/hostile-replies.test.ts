// Replies that were written to keep a council busy: what cannot be found by one reading is no vote.
// What a reading costs is counted in `test/system/growth`.
import { describe, expect, test } from 'vitest'
import { councilResult } from '#work/council'
import { jsonObjectsIn } from '#work/json-objects'
import { count } from '../support/vitest/counts.ts'

const length = count(1_000_000, 100_000)

const votesOf = (reply: string) => councilResult({ seats: 1, replies: [reply] }).votes

describe('a long text of', () => {
  test.each([
    ['{'],
    ['{"a":'],
    ['{"'],
    ['{"a":1,'],
    ['{"a":[{'],
    ['{}'],
    ['{"a":{}} '],
    ['"'],
    ['\\'],
    ['{"\\'],
    ['{"a {"b'],
    ['{ '],
    ['}{'],
    ['x'],
    ['{"verdict":"approve"}'],
  ])('%j is unparsable', (piece) => {
    expect(votesOf(piece.repeat(Math.floor(length / piece.length)))).toEqual(['unparsable'])
  })

  test('open objects before one long text is unparsable', () => {
    expect(votesOf(`${'{"a":'.repeat(length / 50)}"${'x'.repeat(length)}`)).toEqual(['unparsable'])
  })

  test('code with braces before a vote does not hide it', () => {
    const code = 'function f() { if (a) { return {} } }\n'.repeat(length / 40)
    expect(votesOf(`${code}{"verdict":"approve"}`)).toEqual(['approve'])
  })
})

test('objects are found in order, those inside another as its members', () => {
  expect(jsonObjectsIn('a {"x":{"y":1}} b {"z":"}"} {')).toEqual([{ x: { y: 1 } }, { z: '}' }])
  expect(jsonObjectsIn('{"x":{"y":1}')).toEqual([{ y: 1 }])
  expect(jsonObjectsIn('nothing')).toEqual([])
  expect(jsonObjectsIn('{"x":1,"x":2}')).toBeNull()
})
