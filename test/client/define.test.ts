// A catalog in TypeScript: what it comes to, what it refuses, and what the types refuse before.
import { z } from 'zod'
import { describe, expect, test } from 'vitest'
import { argumentFault } from '#rules/catalog/arguments'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { defineCatalog } from '#client/catalog/define'

const email = z.object({
  to: z.email(),
  cc: z.array(z.email()).max(3).optional(),
  urgent: z.boolean().default(false),
})

const defined = () =>
  defineCatalog({
    principals: [{ id: 'ann' }, { id: 'bot', roles: ['writer'], owner: 'ann' }],
    groups: [{ id: 'ops', members: ['ann'] }],
    confirmations: [{ id: 'two', tier: 'four_eyes', group: 'ops' }],
    capabilities: [
      { id: 'send_email', safetyClass: 'WRITE', args: email, confirmation: 'two' },
      { id: 'ping', safetyClass: 'READ' },
    ],
  })

describe('a catalog in TypeScript', () => {
  test('is the content of a catalog.json, with the arguments of its tools', () => {
    const file = defined()
    expect(catalogFromFile(JSON.parse(JSON.stringify(file))).refused).toBeUndefined()
    const [send, ping] = file.capabilities
    if (send === undefined || ping === undefined) throw new Error('there are two')
    expect(argumentFault(send, { to: 'ann@example.com' })).toBeNull()
    expect(argumentFault(send, { to: 'ann' })).toMatchObject({ path: '/to' })
    expect(argumentFault(send, { to: 'ann@example.com', bcc: 'x' })).toMatchObject({
      keyword: 'additionalProperties',
    })
    expect(argumentFault(send, {})).toMatchObject({ keyword: 'required' })
    expect(argumentFault(ping, { any: 1 })).not.toBeNull()
  })

  test('takes other properties only where the schema is loose', () => {
    const loose = z.looseObject({ nested: z.object({ a: z.string() }) })
    const { capabilities } = defineCatalog({
      capabilities: [{ id: 'c', safetyClass: 'READ', args: loose }],
    })
    const [one] = capabilities
    if (one === undefined) throw new Error('there is one')
    expect(argumentFault(one, { nested: { a: '' }, other: 1 })).toBeNull()
    expect(argumentFault(one, { nested: { a: '', b: 1 } })).not.toBeNull()
  })

  test('names what no JSON Schema can say, and what stands twice', () => {
    const args = z.object({ at: z.date() })
    const dated = () => defineCatalog({ capabilities: [{ id: 'c', safetyClass: 'READ', args }] })
    expect(dated).toThrow('capabilities/c/args: no JSON Schema says the same')
    const both = { id: 'c', safetyClass: 'READ' as const, args: email, argsSchema: {} }
    expect(() => defineCatalog({ capabilities: [both] })).toThrow('keep one of them')
    const twice = { principals: [{ id: 'a' }, { id: 'a' }] }
    expect(() => defineCatalog(twice)).toThrow('principals/1/id')
  })

  test('knows by its types who and what is defined', () => {
    // @ts-expect-error The owner is not one of the principals.
    const owned = () => defineCatalog({ principals: [{ id: 'bot', owner: 'nemo' }] })
    expect(owned).toThrow('nemo')
    const capability = { id: 'c', safetyClass: 'READ' } as const
    // @ts-expect-error There is no such confirmation.
    const asked = () => defineCatalog({ capabilities: [{ ...capability, confirmation: 'two' }] })
    expect(asked).toThrow('no confirmation `two`')
    // @ts-expect-error There is no such class.
    expect(() => defineCatalog({ capabilities: [{ id: 'c', safetyClass: 'read' }] })).toThrow()
  })

  test('checks conditions as a log would, by the types of the arguments', () => {
    const withCondition = (when: string) => () => {
      const condition = { name: 'slip', when, effect: 'deny' } as const
      const base = { id: 'c', safetyClass: 'READ', args: email } as const
      return defineCatalog({ capabilities: [{ ...base, conditions: [condition] }] })
    }
    expect(withCondition("args.to.endsWith('@example.com')")).not.toThrow()
    expect(withCondition('args.too == 1')).toThrow('capabilities/c/conditions/0/when')
    expect(withCondition('args.urgent > 1')).toThrow('`slip`')
  })
})
