// Where a value comes from: the messages that count, less what others can have written in them and
// what a result only repeats.
import { describe, expect, test } from 'vitest'
import { KnownArgument, UntrustedPart } from '#schemas/values'
import { noEvidence, type ValueEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'
import { valuesMax } from '#knowledge/known/known-value'
import { mayHold } from '#knowledge/known/placed'
import type { z } from 'zod'

const to = [KnownArgument.parse({ arg: '/to', kind: 'email' })]
const ann = { to: 'ann@x.com' }

type Part = z.input<typeof UntrustedPart>

interface Said {
  readonly counts?: boolean
  readonly content?: unknown
  readonly payload?: unknown
}

function evidence(messages: readonly Said[], parts: readonly Part[] | null = []): ValueEvidence {
  return {
    ...noEvidence,
    attributes: [{ principal: 'olga', attribute: 'mail', value: 'Olga@x.com' }],
    messages: messages.map((message, index) => {
      return {
        name: `m${index}`,
        sender: 'desk',
        content: '',
        payload: null,
        counts: true,
        ...message,
      }
    }),
    untrusted: (tool) => {
      return tool === 'inbox' && parts !== null
        ? parts.map((part) => UntrustedPart.parse(part))
        : null
    },
  }
}

/** Of the one value: where it was found, and the pointer there. */
function found(messages: readonly Said[], parts?: readonly Part[] | null, args: object = ann) {
  const [one] = soughtValues(to, args, evidence(messages, parts))
  const { found: how, message, pointer } = one?.found ?? {}
  return [how, message, pointer].filter((word) => word !== undefined)
}

function result(value: unknown, more: object = {}): Said {
  return { content: 'ann@x.com', payload: { tool: 'inbox', args: {}, value, ...more } }
}

describe('a value is known', () => {
  test('where a trusted sender says it', () => {
    expect(found([{ content: 'to ann@x.com' }])).toEqual(['message', 'm0', '/content'])
    const payload = { a: [{ 'b/c': 'Ann@x.com' }] }
    expect(found([{}, { payload }])).toEqual(['message', 'm1', '/payload/a/0/b~1c'])
  })

  test('where a result has it, and only there of a result', () => {
    expect(found([result(['ann@x.com'])])).toEqual(['message', 'm0', '/payload/value/0'])
    expect(found([result([])])).toEqual(['nowhere'])
  })

  test('as an attribute of the agent or of its owner', () => {
    const [one] = soughtValues(to, { to: 'olga@x.com' }, evidence([]))
    expect(one?.found).toEqual({
      arg: '/to',
      kind: 'email',
      value: 'olga@x.com',
      found: 'attribute',
      principal: 'olga',
      attribute: 'mail',
    })
  })

  test('from the first place that makes it known, whatever came before', () => {
    const parts = [{ pointer: '/0' }]
    const messages = [result(['ann@x.com']), result(['', 'ann@x.com']), { content: 'ann@x.com' }]
    expect(found(messages, parts)).toEqual(['message', 'm1', '/payload/value/1'])
  })
})

describe('a result makes nothing known', () => {
  test('in what others can have written', () => {
    const value = [{ sender: 'eve@y.org', body: 'ann@x.com' }]
    const parts = [{ pointer: '/*/body' }]
    expect(found([result(value)], parts)).toEqual(['untrusted', 'm0', '/payload/value/0/body'])
    expect(found([result(value)], [{ pointer: '' }])[0]).toBe('untrusted')
    expect(found([result({ body: { text: 'ann@x.com' } })], [{ pointer: '/body' }])[0]).toBe(
      'untrusted',
    )
  })

  test.each<[string, Part['when'], unknown, string]>([
    ['not among', { field: 'by', notIn: ['me'] }, 'me', 'message'],
    ['not among', { field: 'by', notIn: ['me'] }, 'you', 'untrusted'],
    ['among', { field: 'by', in: ['web'] }, 'web', 'untrusted'],
    ['among', { field: 'by', in: ['web'] }, 'me', 'message'],
    ['not own', { field: 'by', notOwn: true }, 'olga@X.com', 'message'],
    ['not own', { field: 'by', notOwn: true }, 'olga@y.com', 'untrusted'],
    ['begins so', { field: 'by', startsWith: 'ext' }, 'external', 'untrusted'],
    ['begins so', { field: 'by', startsWith: 'ext' }, 'me', 'message'],
    ['of the value itself', { startsWith: 'ann' }, 'me', 'untrusted'],
    ['absent', { field: 'from', notIn: ['me'] }, 'me', 'untrusted'],
    ['no text', { field: 'by', in: ['web'] }, 7, 'untrusted'],
  ])('where a condition holds: %s %j of %j', (_, when = {}, by, how) => {
    const value = [{ body: 'ann@x.com', by }]
    expect(found([result(value)], [{ pointer: '/*/body', when }])[0]).toBe(how)
  })

  test('in what it says itself is untrusted, which takes nothing back of the catalog', () => {
    const value = { a: 'ann@x.com', b: 'ann@x.com' }
    expect(found([result(value, { untrusted: ['/a'] })])).toEqual([
      'message',
      'm0',
      '/payload/value/b',
    ])
    expect(found([result(value, { untrusted: ['/a'] })], [{ pointer: '/b' }])[0]).toBe('untrusted')
    expect(found([result(value, { untrusted: [] })], [{ pointer: '/*' }])[0]).toBe('untrusted')
    expect(found([result(value, { untrusted: ['a'] })])[0]).toBe('untrusted')
    expect(found([result(value, { untrusted: 'all' })])[0]).toBe('untrusted')
  })

  test('where it repeats what its call was given', () => {
    const args = { query: 'from Ann@x.com' }
    expect(found([result(['ann@x.com'], { args })])).toEqual(['repeated', 'm0', '/payload/value/0'])
    const both = [result(['ann@x.com'], { args }), result(['ann@x.com'])]
    expect(found(both)).toEqual(['message', 'm1', '/payload/value/0'])
  })

  test('where its sender is not believed for it', () => {
    const value = result(['ann@x.com'])
    expect(found([{ ...value, counts: false }])[0]).toBe('untrusted')
    expect(found([{ content: 'ann@x.com', counts: false }])[0]).toBe('untrusted')
  })

  test('where the catalog is silent about the tool', () => {
    expect(found([result(['ann@x.com'])], null)[0]).toBe('untrusted')
    expect(found([result(['ann@x.com'], { tool: 'other' })])[0]).toBe('untrusted')
  })

  test('without its call, after a failure, or without a value', () => {
    expect(found([result(['ann@x.com'], { args: undefined })])).toEqual(['nowhere'])
    expect(found([result(['ann@x.com'], { error: true })])).toEqual(['nowhere'])
    expect(found([result(undefined)])).toEqual(['nowhere'])
    expect(found([result(['ann@x.com'], { tool: 7 })])).toEqual(['nowhere'])
  })
})

describe('the values of a call', () => {
  const sought = (known: readonly z.input<typeof KnownArgument>[], args: unknown) =>
    soughtValues(
      known.map((one) => KnownArgument.parse(one)),
      args,
      noEvidence,
    ).map(({ found: { arg, value, found: how }, unknown }) => [arg, value, how, unknown])

  test('are all texts and numbers below the pointer, each once', () => {
    const args = { to: ['a@x.com', 'A@x.com', ['b@x.com']], cc: null }
    expect(
      sought(
        [
          { arg: '/to', kind: 'email' },
          { arg: '/cc', kind: 'email' },
        ],
        args,
      ),
    ).toEqual([
      ['/to/0', 'a@x.com', 'nowhere', 'ask'],
      ['/to/2/0', 'b@x.com', 'nowhere', 'ask'],
    ])
    expect(
      sought([{ arg: '/*/id', kind: 'id', unknown: 'deny' }], [{ id: 13 }, { id: null }]),
    ).toEqual([['/0/id', '13', 'nowhere', 'deny']])
  })

  test('are also names of members and truth values, so that nothing hides there', () => {
    const known = [{ arg: '/to', kind: 'email' }] as const
    expect(sought(known, { to: { 'eve@y.org': true } })).toEqual([
      ['/to/eve@y.org', 'eve@y.org', 'nowhere', 'ask'],
      ['/to/eve@y.org', 'true', 'nowhere', 'ask'],
    ])
    const args = { 'ann@x.com': 1 }
    expect(found([result(['ann@x.com'], { args })])[0]).toBe('repeated')
  })

  test('are those in a text, where the argument is one', () => {
    const known = [{ arg: '/body', kind: 'url', inText: true }] as const
    expect(sought(known, { body: 'see www.evil.org and x' })).toEqual([
      ['/body', 'www.evil.org', 'nowhere', 'ask'],
    ])
  })

  test('are no more than can be looked for', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@x.com`)
    const known = [{ arg: '/to', kind: 'email' }] as const
    expect(sought(known, { to: many(valuesMax) }).map(([, , how]) => how)).not.toContain('beyond')
    const last = sought(known, { to: many(valuesMax + 9) }).at(-1)
    expect(last).toEqual([`/to/${valuesMax}`, `a${valuesMax}@x.com`, 'beyond', 'deny'])
    expect(sought(known, { to: many(valuesMax + 9) })).toHaveLength(valuesMax + 1)
  })
})

describe('a pointer to an argument', () => {
  const schema = {
    type: 'object',
    $defs: { person: { properties: { mail: { type: 'string' } } } },
    properties: {
      to: { type: ['array', 'null'], items: { type: 'string' } },
      cc: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/person' } }, { type: 'null' }] },
      any: { type: 'object' },
      text: { type: 'string' },
    },
    additionalProperties: false,
  }

  test.each(['', '/to', '/to/*', '/to/0', '/cc/*/mail', '/any/of/it', '/*'])(
    'leads to %j',
    (pointer) => {
      expect(mayHold(schema, pointer)).toBe(true)
    },
  )

  test.each(['/too', '/to/*/mail', '/cc/*/male', '/text/0', '/to/first'])(
    'not to %j',
    (pointer) => {
      expect(mayHold(schema, pointer)).toBe(false)
    },
  )

  test('leads anywhere in what is not described, and nowhere where nothing may be', () => {
    expect(mayHold({}, '/a/b')).toBe(true)
    expect(mayHold({ type: 'object', additionalProperties: false }, '/a')).toBe(false)
    expect(mayHold({ $ref: '#' }, '/a')).toBe(true)
  })
})
