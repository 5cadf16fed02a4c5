// Values that public reports say other programs let through or lose: each comes to what is right
// here. Every line of the file names the report that it was written after.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { catalogFromFile, newCatalog } from '#rules/catalog/catalog-file'
import { conditionProblem } from '#conditions/condition'
import { openObject } from '#conditions/types'
import { emptyGraph } from '#knowledge/graph/revision'
import { readJson } from '#record/json'
import { toolsOfMcp } from '#cli/rules/catalog/tools/from-mcp'
import { toolsOfOpenApi } from '#cli/rules/catalog/tools/propose'
import { decideLine } from '#cli/offline/decide'
import { csvLine } from '#cli/terminal/csv'
import { requestRefusal } from '#mcp/strict'
import { warrant } from './program.ts'

const Case = z.looseObject({ kind: z.string(), source: z.string() })
const file = join(import.meta.dirname, '../../data/field/values.ndjson')
const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
const cases = lines.map((text) => Case.parse(JSON.parse(text)))
const some = (...kinds: readonly string[]) => cases.filter(({ kind }) => kinds.includes(kind))
const Coded = z.object({
  outcome: z.string(),
  reasons: z.array(z.looseObject({ code: z.string() })),
})

test.each(some('cel-cast', 'redos-args-schema'))('$kind, after $source', ({ line, reason }) => {
  const answer = Coded.parse(decideLine(line, { catalog: newCatalog, graph: emptyGraph }))
  expect(answer.outcome).toBe('deny')
  expect(answer.reasons.map(({ code }) => code)).toContain(reason)
})

test.each(some('budget-cast'))('$kind, after $source', ({ budget, args }) => {
  const { catalog = newCatalog } = catalogFromFile({
    principals: [{ id: 'a' }],
    capabilities: [{ id: 'pay', safetyClass: 'READ', argsSchema: { type: 'object' } }],
    budgets: [budget],
  })
  const line = { principal: 'a', tool: 'pay', request: { args } }
  expect(decideLine(line, { catalog, graph: emptyGraph })).toMatchObject({ outcome: 'deny' })
})

test.each(some('literal-not-checked', 'cel-pass'))('$kind, after $source', ({ when, refused }) => {
  const problem = conditionProblem(z.string().parse(when), openObject)
  expect(problem !== null).toBe(refused)
})

test.each(some('big-integer'))('$kind, after $source', ({ input }) => {
  const bytes = Buffer.from(
    JSON.stringify(input).replaceAll('9007199254740992', '9007199254740993'),
  )
  const reading = readJson(bytes, { bytesMax: bytes.length, depthMax: 16 })
  expect(reading).toMatchObject({ ok: false, code: 'number_inexact' })
})

test.each(some('mcp-json-strict'))('$kind, after $source', ({ raw }) => {
  const request = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${String(raw)}}`
  expect(requestRefusal(Buffer.from(request))).not.toBeNull()
})

test.each(some('import-unknown-format', 'import-unknown-keyword', 'import-misleading'))(
  '$kind, after $source',
  ({ tools }) => {
    const [tool] = toolsOfMcp({ tools }, { acceptsHints: false }) ?? []
    expect(tool?.refused).toBeUndefined()
    expect(tool?.capability.argsSchema).toMatchObject({ type: 'object' })
  },
)

test.each(some('import-openapi'))('$kind, after $source', ({ document }) => {
  const { paths = {}, parameters } = z
    .looseObject({ paths: z.unknown().optional() })
    .parse(document)
  const asked = parameters === undefined ? paths : { '/a': { get: { parameters } } }
  const tools = toolsOfOpenApi({ openapi: '3.1.0', paths: asked }) ?? []
  expect(tools.length).toBeGreaterThan(0)
  expect(new Set(tools.map(({ capability: { id } }) => id)).size).toBe(tools.length)
  if (JSON.stringify(asked).includes('$ref'))
    expect(tools[0]?.refused).toContain('leads to nothing')
})

test.each(some('csv-formula', 'csv-pass'))('$kind, after $source', ({ cell }) => {
  expect(csvLine([z.string().parse(cell)])).toMatch(/^(?:'|"')|^"[^"]*;[^"]*"/)
})

test.each(some('url-pass'))('$kind, after $source', async ({ url }) => {
  const { answers } = await warrant(['url-check'], `${JSON.stringify({ url })}\n`)
  expect(JSON.parse(answers)).toMatchObject({ verdict: 'block' })
})
