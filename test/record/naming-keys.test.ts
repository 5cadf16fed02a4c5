// Files that people write: a key that there is not is refused at every place, with the one that was
// meant. The places are those that the schemas have, and no list of our own.
import { z } from 'zod'
import { describe, expect, test } from 'vitest'
import { checkedCatalog } from '#authoring/change-check'
import { assert } from '#record/fault'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { CatalogFile, CatalogOperation } from '#schemas/catalog'
import { GraphFile } from '#schemas/graph'
import { NeverCase, TestCase } from '#cases/case-format'
import { publicKeyOf } from '#record/crypto/private-key'
import { namingKeys } from '#record/naming-keys'
import { firstProblem } from '#record/problem'
import { catalogFromFile, parseCatalogFile } from '#rules/catalog/catalog-file'
import { keys } from '../support/runtime.ts'

interface Node {
  readonly schema: z.ZodType
  readonly keys: readonly string[]
  readonly at: string
}

/** Every object that can stand anywhere in such a file, once. */
function nodesIn(root: z.ZodType, at: string): readonly Node[] {
  const seen = new Set<unknown>()
  const nodes: Node[] = []
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    const def: unknown = Reflect.get(Reflect.get(value, '_zod') ?? {}, 'def')
    if (typeof def !== 'object' || def === null) return
    const shape: unknown = Reflect.get(def, 'shape')
    if (typeof shape === 'object' && shape !== null) {
      const keys = Object.keys(shape)
      if (value instanceof z.ZodType) nodes.push({ schema: value, keys, at: place })
      for (const key of keys) visit(Reflect.get(shape, key), `${place}/${key}`)
    }
    const getter: unknown = Reflect.get(def, 'getter')
    if (typeof getter === 'function') visit(Reflect.apply(getter, def, []), place)
    for (const key of ['innerType', 'element', 'in', 'out', 'valueType'])
      visit(Reflect.get(def, key), place)
    const options: unknown = Reflect.get(def, 'options')
    if (Array.isArray(options)) for (const each of options) visit(each, place)
    for (const side of ['left', 'right']) visit(Reflect.get(def, side), place)
  }
  visit(root, at)
  return nodes
}

const files: readonly (readonly [string, z.ZodType])[] = [
  ['catalog', CatalogFile],
  ['graph', GraphFile],
  ['case', TestCase],
  ['never', NeverCase],
]
const nodes = files.flatMap(([name, schema]) => nodesIn(schema, name))

const issuesOf = ({ schema }: Node, value: object) =>
  schema.safeParse(value, namingKeys).error?.issues ?? []

/** Fewer letters are near to too many others. */
const isLong = (key: string): boolean => key.length >= 4

describe('a key that there is not', () => {
  test('is refused in every object of a file, and the key that was meant is named', () => {
    let tried = 0
    for (const node of nodes) {
      for (const key of node.keys.filter(isLong)) {
        const typed = `${key.slice(0, 2)}${key.slice(3)}`
        if (node.keys.includes(typed)) continue
        const { message } = firstProblem(issuesOf(node, { [typed]: 1 }))
        expect(message, node.at).toContain(`no such key: \`${typed}\`; did you mean \``)
        const near = [...message.matchAll(/`(?<name>[^`]+)`/g)].map(
          (found) => found.groups?.['name'],
        )
        expect(node.keys, node.at).toContain(near[1])
        tried += 1
      }
      const { message } = firstProblem(issuesOf(node, { zzzzzz: 1 }))
      expect(message, node.at).toMatch(/^no such key: `zzzzzz`; (?:there are `|take it out)/)
    }
    expect(nodes.length).toBeGreaterThan(40)
    expect(tried).toBeGreaterThan(150)
  })

  const condition = { name: 'big', when: 'true', effect: 'confirm' }
  const tool = (more: object) => ({ capabilities: [{ id: 'pay', safetyClass: 'WRITE', ...more }] })
  test.each([
    [tool({ conditions: [{ name: 'big', if: 'true', effect: 'deny' }] }), '`if`', '`when`'],
    [
      tool({ conditions: [{ ...condition, effect: 'deny', question: 'x' }] }),
      '`question`',
      'message',
    ],
    [tool({ args: {} }), '`args`', '`argsSchema`'],
    [{ tools: [] }, '`tools`', '`capabilities`'],
    [{ principals: [{ id: 'a', role: ['x'] }] }, '`role`', '`roles`'],
    [{ confirmations: [{ id: 'a', tier: 'confirm', timeout: 5 }] }, '`timeout`', 'decideWithinMs'],
  ])('by its sense: %j', (file, wrong, meant) => {
    const { refused } = parseCatalogFile(file)
    expect(refused?.message).toMatch(new RegExp(`^no such key: ${wrong}; .*${meant}`))
  })

  test.each([
    ['of a tool', tool({ conditions: [{ ...condition, message: 'really?' }] }), 'capabilities/0/'],
    ['of all tools', { conditions: [{ ...condition, message: 'really?' }] }, ''],
  ])('and a message that no one would read: %s', (_, file, above) => {
    expect(parseCatalogFile(file).refused).toMatchObject({
      at: `${above}conditions/0`,
      message: 'no one reads `message` where people are asked: write `question`',
    })
    const text = JSON.stringify(file)
    expect(parseCatalogFile(JSON.parse(text.replace('message', 'question'))).file).toBeDefined()
  })

  test.each([
    ['put', { op: 'put', collection: 'capabilities', entry: tool({}).capabilities[0] }],
    ['set', { op: 'set', key: 'conditions', value: [] }],
  ])('nor in an operation that brings one in: %s', (_, whole) => {
    const asking = (conditions: readonly object[]) => {
      const given =
        'entry' in whole
          ? { ...whole, entry: { ...whole.entry, conditions } }
          : { ...whole, value: conditions }
      return [CatalogOperation.parse(given)]
    }
    const { catalog } = catalogFromFile({
      principals: [{ id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(keys.root)] }],
    })
    assert(catalog !== undefined, 'it is one')
    const unread = asking([condition, { ...condition, name: 'b', message: 'really?' }])
    expect(() => checkedCatalog(catalog, unread)).toThrow(/conditions\/1|value\/1/)
    expect(() => checkedCatalog(catalog, unread)).toThrow('write `question`')
    expect(() => checkedCatalog(catalog, asking([{ ...condition, question: 'x' }]))).not.toThrow()
    // What a log has already may be brought in again, with what is beside it.
    const { catalog: older } = applyCatalogChange(catalog, unread)
    assert(older !== undefined, 'a log may hold it')
    expect(() => checkedCatalog(older, unread)).not.toThrow()
  })
})
