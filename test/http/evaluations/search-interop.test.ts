// The public search payloads of the AuthZEN working group, against the real server: a search
// application, and an identity provider that puts what it finds into a token.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { decisionPoint, evaluated, searched } from './decision-point.ts'
import { searchCatalog } from './search-catalog.ts'

const Result = z.record(z.string(), z.string())
const Found = z.object({ results: z.array(Result) })
const Payload = z.object({
  request: z.record(z.string(), z.record(z.string(), z.string())),
  expected: Found,
})
const Payloads = z.object({
  subject: z.array(Payload).default([]),
  resource: z.array(Payload),
  action: z.array(Payload).default([]),
})

const payloadsIn = async (file: string) => {
  const url = new URL(`../../data/authzen/${file}.json`, import.meta.url)
  return Payloads.parse(JSON.parse(await readFile(url, 'utf8')))
}

/** In any order, as the scenario has it. */
const inOrder = (results: readonly unknown[]) =>
  results.map((one) => JSON.stringify(one)).toSorted()

test.each([
  ['search', 60, 18, 120],
  ['idp', 0, 6, 0],
])('the payloads of %s get their results', async (file, subjects, resources, actions) => {
  const payloads = await payloadsIn(file)
  const { subject, resource, action } = payloads
  expect([subject.length, resource.length, action.length]).toEqual([subjects, resources, actions])
  const point = await decisionPoint(searchCatalog, {
    rate: { perSecond: 1_000, burst: 10_000 },
  })
  for (const of of ['subject', 'resource', 'action'] as const) {
    for (const { request, expected } of payloads[of]) {
      const { results, page } = await searched(point, of, request)
      expect([request, inOrder(results)]).toEqual([request, inOrder(expected.results)])
      expect(page).toEqual({ next_token: '', count: results.length })
    }
  }
})

test('what is found is what an evaluation allows, and nothing else', async () => {
  const point = await decisionPoint(searchCatalog)
  const { resource } = await payloadsIn('idp')
  for (const { request, expected } of resource) {
    const ids = expected.results.map(({ id }) => id)
    for (const id of ['101', '108', '115']) {
      const { decision } = await evaluated(point, { ...request, resource: { type: 'record', id } })
      expect([request, id, decision]).toEqual([request, id, ids.includes(id)])
    }
  }
})
