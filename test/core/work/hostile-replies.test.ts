// Replies that were written to keep a council busy: each takes time linear in its length, and an
// object that cannot be found in that time is no vote.
import { describe, expect, test } from 'vitest'
import { councilResult } from '#core/work/council'
import { jsonObjectsIn } from '#core/work/json-objects'

const length = 1_000_000
const secondsMax = 5

const votesOf = (reply: string) => councilResult({ seats: 1, replies: [reply] }).votes

describe('a megabyte of', () => {
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
  ])('%j is unparsable in time', (piece) => {
    const start = performance.now()
    expect(votesOf(piece.repeat(length / piece.length))).toEqual(['unparsable'])
    expect(performance.now() - start).toBeLessThan(secondsMax * 1_000)
  })

  test('open objects before one long text is unparsable in time', () => {
    const start = performance.now()
    expect(votesOf(`${'{"a":'.repeat(20_000)}"${'x'.repeat(length)}`)).toEqual(['unparsable'])
    expect(performance.now() - start).toBeLessThan(secondsMax * 1_000)
  })

  test('code with braces before a vote does not hide it', () => {
    const code = 'function f() { if (a) { return {} } }\n'.repeat(25_000)
    expect(votesOf(`${code}{"verdict":"approve"}`)).toEqual(['approve'])
  })
})

test('objects are found in order, those inside another as its members', () => {
  expect(jsonObjectsIn('a {"x":{"y":1}} b {"z":"}"} {')).toEqual([{ x: { y: 1 } }, { z: '}' }])
  expect(jsonObjectsIn('{"x":{"y":1}')).toEqual([{ y: 1 }])
  expect(jsonObjectsIn('nothing')).toEqual([])
  expect(jsonObjectsIn('{"x":1,"x":2}')).toBeNull()
})
