// The public payloads of the AuthZEN working group, against the real server: a todo application and
// API gateways.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { decisionPoint, decisions, evaluated } from './decision-point.ts'
import { todoCatalog } from './todo-catalog.ts'

const Payloads = z.object({
  evaluation: z.array(z.object({ request: z.unknown(), expected: z.boolean() })),
  evaluations: z
    .array(
      z.object({
        request: z.unknown(),
        expected: z.array(z.object({ decision: z.boolean() })),
      }),
    )
    .default([]),
})

const payloadsIn = async (file: string) => {
  const url = new URL(`../../data/authzen/${file}.json`, import.meta.url)
  return Payloads.parse(JSON.parse(await readFile(url, 'utf8')))
}

test.each([
  ['todo', 40, 3],
  ['gateways', 25, 0],
])('the payloads of %s get their decisions', async (file, ones, several) => {
  const { evaluation, evaluations } = await payloadsIn(file)
  expect([evaluation.length, evaluations.length]).toEqual([ones, several])
  const point = await decisionPoint(todoCatalog)
  for (const { request, expected } of evaluation) {
    const { decision } = await evaluated(point, request)
    expect([request, decision]).toEqual([request, expected])
  }
  for (const { request, expected } of evaluations) {
    const found = await decisions(point, request)
    expect([request, found]).toEqual([request, expected.map(({ decision }) => decision)])
  }
})
