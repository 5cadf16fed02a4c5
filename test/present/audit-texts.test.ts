// What the auditor's views say and filter by, without a browser.
import { describe, expect, test } from 'vitest'
import { entryQuery } from '#conditions/entry-query'
import { entriesThatDiffer } from '#present/auditing/differences-shown'
import { derivedText, readText } from '#present/auditing/derived-text'
import { filterFor, filtersIn, filtersWith } from '#present/auditing/filters'
import { leavesOf } from '#present/auditing/leaves'
import { traceAddress, traceTemplate } from '#present/auditing/trace-id'

const entry = {
  position: 7,
  time: 0,
  name: '',
  kind: 'verdict',
  agent: '',
  tool: '',
  outcome: '',
  reasons: [],
  args: {},
  reason: '',
  approvedBy: [],
}

describe('a click on a value', () => {
  test('sets the filter that is there for it', () => {
    const of = (pointer: string) => filterFor('x', pointer, true)
    expect(of('/data/intent/agent')).toEqual({ name: 'agent', value: 'x' })
    expect(of('/data/terms/capability')).toEqual({ name: 'tool', value: 'x' })
    expect(of('/data/reasons/0/code')).toEqual({ name: 'reason', value: 'x' })
    expect(of('/data/reasons/0/params/rule')).toEqual({ name: 'rule', value: 'x' })
    expect(of('/data/release/confirmedBy/1')).toEqual({ name: 'person', value: 'x' })
    expect(filterFor('x', '/sender', false)).toEqual({ name: 'agent', value: 'x' })
  })

  test.each([
    { data: { amount: 240 } },
    { data: { amount: 0.5, note: 'a "quoted" \\ line\nand another' } },
    { data: { 'odd key': { in: [true, null, { deep: 'é\u{1F600}' }] } } },
    { data: { nothing: null, no: false, list: [] } },
  ])('is an expression that holds for that very fact: %j', ({ data }) => {
    const { leaves } = leavesOf(data)
    for (const { value, pointer } of leaves) {
      const filter = filterFor(value, pointer, false)
      if (filter === null) {
        expect(value).toEqual([])
        continue
      }
      const query = entryQuery(filter.value)
      if ('message' in query) throw new Error(`${filter.value}: ${query.message}`)
      expect([filter.value, query.holds({ ...entry, data })]).toEqual([filter.value, true])
      expect(query.holds({ ...entry, data: {} })).not.toBe(true)
    }
  })

  test('narrows by one expression more, and by none twice', () => {
    const one = filtersWith({ agent: 'bot' }, { name: 'where', value: 'a' })
    const two = filtersWith(one, { name: 'where', value: 'b' })
    expect(two).toEqual({ agent: 'bot', where: 'a && b' })
    expect(filtersWith(two, { name: 'where', value: 'a' })).toEqual(two)
    const either = filtersWith({ where: 'a || b' }, { name: 'where', value: 'c' })
    expect(either).toEqual({ where: '(a || b) && c' })
    expect(
      filtersIn(
        new Map([
          ['agent', ''],
          ['tool', 't'],
          ['x', 'y'],
        ]),
      ),
    ).toEqual({ tool: 't' })
  })

  test('asks for nothing outside of what a fact says', () => {
    expect(filterFor('1.0', '/specversion', true)).toBeNull()
  })
})

test('differences are shown entry by entry', () => {
  const differences = [
    { pointer: '/primitives/a~1b/depths/1/properties/what', before: 'x', now: 'y' },
    { pointer: '/primitives/a~1b/depths/2', now: { level: 2 } },
    { pointer: '/primitives/c', before: { name: 'c' } },
    { pointer: '/learning', before: false, now: true },
  ]
  expect(
    entriesThatDiffer(differences).map(({ entry: of, how, members }) => {
      return [of, how, members.length]
    }),
  ).toEqual([
    ['a/b', 'changed', 2],
    ['c', 'removed', 1],
    ['learning', 'changed', 1],
  ])
})

test('what was derived is listed with the worst first', () => {
  const facts = [{ is: 'equal' }, { is: 'cannot_tell' }, { is: 'differs' }] as const
  expect(derivedText(facts)).toMatch(/^1 fact came out differently/)
  expect(derivedText([{ is: 'equal' }])).toMatch(/^All 1 fact /)
  expect(derivedText([{ is: 'cannot_tell' }])).not.toContain('the same')
  expect(readText(3, 2)).toContain('2 answers')
})

test('a trace is linked to by http and an id alone', () => {
  expect(traceTemplate('javascript:alert({trace})')).toBeNull()
  expect(traceTemplate('https://t.example.org/')).toBeNull()
  const template = traceTemplate(' https://t.example.org/{trace}?id={trace} ') ?? ''
  expect(traceAddress(template, 'ab')).toBe('https://t.example.org/ab?id=ab')
})
