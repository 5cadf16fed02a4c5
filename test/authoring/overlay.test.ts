// What a file makes of what is there, and what that leaves that the file does not have.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excessOver, overlaid } from '#authoring/changes/overlay'

test('what the file names is taken from it, and what it does not name stays', () => {
  const stored = { id: 'a', roles: ['x', 'y'], owner: 'o', attributes: { k: '1', l: '2' } }
  const file = { id: 'a', roles: ['z', 'x'], attributes: { k: '3' } }
  const over = { id: 'a', roles: ['z', 'x', 'y'], owner: 'o', attributes: { k: '3', l: '2' } }
  expect(overlaid(stored, file)).toEqual(over)
  expect(excessOver(over, { owner: 'o', ...file })).toEqual([
    { path: ['roles'], value: 'y' },
    { path: ['attributes', 'l'], value: '2' },
  ])
})

test('a schema, a property and a value of metadata are one value each', () => {
  const stored = { argsSchema: { type: 'object', required: ['a'] }, properties: { p: ['x'] } }
  const file = { argsSchema: { type: 'object' }, properties: { p: ['y'], q: 1 } }
  expect(overlaid(stored, file)).toEqual(file)
})

test('an instruction and a rule are the file’s as soon as it names them', () => {
  const stored = {
    driver: { kind: 'shell', command: ['git', 'push', '--force'] },
    conditions: [{ name: 'c', effect: 'confirm', when: 'a', question: 'q' }, { name: 'd' }],
    known: [{ arg: '/to', kind: 'email', unknown: 'ask' }],
    untrusted: [{ pointer: '/body', when: { field: 'from', notOwn: true } }],
    servers: [{ id: 's', command: ['one', '--write'] }],
  }
  const file = {
    driver: { kind: 'shell', command: ['git', 'log'] },
    conditions: [{ name: 'c', effect: 'deny', when: 'b' }],
    known: [{ arg: '/to', kind: 'email', unknown: 'deny' }],
    untrusted: [{ pointer: '/body' }],
    servers: [{ id: 's', url: 'https://one.example' }],
  }
  const over = overlaid(stored, file)
  expect(over).toEqual({ ...file, conditions: [...file.conditions, { name: 'd' }] })
  expect(excessOver(over, file)).toEqual([{ path: ['conditions'], value: { name: 'd' } }])
})

test('edges are the same by type and target, policies by name', () => {
  const edge = { type: 'REQUIRES', target: 'File', targetDepth: 1 }
  const stored = [{ ...edge, policies: [{ name: 'a', callback: 'c' }, { name: 'b' }] }]
  const file = [
    { ...edge, target: 'file', targetDepth: 2, policies: [{ name: 'b', metadata: {} }] },
  ]
  expect(overlaid(stored, file)).toEqual([
    {
      type: 'REQUIRES',
      target: 'file',
      targetDepth: 2,
      policies: [
        { name: 'b', metadata: {} },
        { name: 'a', callback: 'c' },
      ],
    },
  ])
})

test('whether a policy asks follows from whether the file says that it checks', () => {
  const stored = { name: 'p', requiresConfirmation: true, callback: null }
  expect(overlaid(stored, { name: 'p', callback: 'c' })).toEqual({ name: 'p', callback: 'c' })
  expect(overlaid(stored, { name: 'p' })).toEqual(stored)
})

test('neither a null nor a suspension is taken for something that is to go', () => {
  expect(overlaid({ callback: 'c' }, { callback: null })).toEqual({ callback: 'c' })
  expect(excessOver({ id: 'a', suspended: true }, { id: 'a', suspended: false })).toEqual([])
})

test('what a file says already is laid over it without a change, and nothing is left over', () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  fc.assert(
    fc.property(value, (any) => {
      expect(excessOver(any, any)).toEqual([])
      expect(overlaid(any, any)).toEqual(any)
    }),
  )
})
