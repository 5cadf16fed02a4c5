// Pages of searches: how much each has, and how one goes on.
import { describe, expect, test } from 'vitest'
import type { SearchAnswer } from '#schemas/http/searches'
import { decisionPoint, searched, type Catalog } from './decision-point.ts'

const argsSchema = { type: 'object' }
const isOdd = { name: 'odd', effect: 'require' as const, when: 'args.resource.properties.isOdd' }
const many = Array.from({ length: 450 }, (_, index) => ({
  id: `record:${String(index).padStart(3, '0')}`,
  properties: { isOdd: index % 100 === 7 },
}))
const catalog: Catalog = {
  principals: [
    {
      id: 'gate',
      via: ['http'],
      evaluates: { subjects: [{ type: 'user', who: { role: 'member' } }] },
    },
    { id: 'alice', roles: ['member'] },
    { id: 'bob', roles: ['member'] },
  ],
  capabilities: [
    { id: 'record.read', safetyClass: 'READ', argsSchema },
    { id: 'record.count', safetyClass: 'READ', argsSchema, conditions: [isOdd] },
  ],
  resources: many,
}

const alice = { type: 'user', id: 'alice' }
const bob = { type: 'user', id: 'bob' }
const whatIsRead = { subject: alice, action: { name: 'read' }, resource: { type: 'record' } }
const whatMay = { subject: alice, resource: { type: 'record', id: '001' } }
const context = { ip: '192.168.1.1' }

describe('pages', () => {
  const pages = async (limit: number | undefined, body: object) => {
    const point = await decisionPoint(catalog)
    const found: SearchAnswer[] = []
    for (let token: string | undefined; token !== ''; token = found.at(-1)?.page.next_token) {
      const page = { ...(token !== undefined && { token }), ...(limit !== undefined && { limit }) }
      found.push(await searched(point, 'resource', { ...body, page }))
    }
    return found
  }
  const idsIn = (found: readonly SearchAnswer[]) =>
    found.flatMap(({ results }) => results.map((one) => ('id' in one ? one.id : '')))

  test('have at most as many results as is asked, and together all of them', async () => {
    const found = await pages(180, whatIsRead)
    expect(found.map(({ page }) => page.count)).toEqual([180, 180, 90])
    expect(idsIn(found)).toEqual(many.map(({ id }) => id.slice('record:'.length)))
  })

  test('have at most 200, and may have few where few of many are found', async () => {
    expect((await pages(undefined, whatIsRead)).map(({ page }) => page.count)).toEqual([
      200, 200, 50,
    ])
    const archived = await pages(5_000, { ...whatIsRead, action: { name: 'count' } })
    expect(archived.map(({ page }) => page.count)).toEqual([2, 2, 1])
    expect(idsIn(archived)).toEqual(['007', '107', '207', '307', '407'])
  })

  test('go on by a token for the same search alone', async () => {
    const point = await decisionPoint(catalog)
    const { page } = await searched(point, 'resource', { ...whatIsRead, page: { limit: 3 } })
    const { next_token: token } = page
    const next = (body: object, more: object = {}) =>
      point.send('/access/v1/search/resource', { ...body, page: { token, ...more } })
    expect((await next(whatIsRead)).status).toBe(200)
    expect((await next(whatIsRead, { limit: 3 })).status).toBe(200)
    for (const refused of [
      next(whatIsRead, { limit: 4 }),
      next({ ...whatIsRead, subject: bob }),
      next({ ...whatIsRead, context }),
      point.send('/access/v1/search/action', { ...whatMay, page: { token } }),
      point.send('/access/v1/search/resource', { ...whatIsRead, page: { token: `${token}A` } }),
    ]) {
      expect((await refused).status).toBe(400)
    }
  })

  test('with no results at all say where to begin', async () => {
    const point = await decisionPoint(catalog)
    const { page, results } = await searched(point, 'action', { ...whatMay, page: { limit: 0 } })
    expect(results).toEqual([])
    expect(page.next_token).not.toBe('')
  })
})
