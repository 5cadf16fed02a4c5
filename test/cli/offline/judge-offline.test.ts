// One line of `decide`: its format, what it looks up, and that it is judged by the same chain.
import { describe, expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { graphFromFile } from '#knowledge/graph/graph'
import { emptyGraph } from '#knowledge/graph/revision'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { decideLine, type OfflineBase } from '#cli/offline/decide'
import { reason } from '../../support/samples/judge-cases.ts'

const base: OfflineBase = { catalog: emptyCatalog, graph: emptyGraph }
const roleless = { id: 'p', roles: [], attributes: {} }
const writer = { ...roleless, roles: ['writer'] }
const read = { id: 'c', description: 'reads', safetyClass: 'READ', sensitivity: 'NONE' }
const write = { ...read, safetyClass: 'WRITE' }

const allowed = { outcome: 'allow', reasons: [], constraints: { max_rows: 50 } }
const denied = (...reasons: [code: string, recover: string][]) => ({
  outcome: 'deny',
  reasons: reasons.map(([code, recover]) => ({ code, recover })),
  constraints: {},
})

function graph(policy: Record<string, unknown>) {
  const deep = (name: string, relata: unknown[] = []) => ({
    name,
    depths: [0, 1, 2].map((level) => ({
      level,
      properties: { known: 'yes' },
      relata: level === 2 ? relata : [],
    })),
  })
  const policies = [{ name: 'bulk', ...policy }]
  const relatum = { type: 'APPLIES_TO', target: 'file', targetDepth: 2, policies }
  return { primitives: [deep('delete', [relatum]), deep('file')] }
}

const deleting = { ...read, concepts: ['delete', 'file'] }

describe('a line that cannot be read', () => {
  const lines: [string, unknown][] = [
    ['no object', 7],
    ['nothing', null],
    ['neither capability nor tool', { principal: roleless, request: {} }],
    ['both of them', { principal: roleless, capability: read, tool: 'c', request: {} }],
    ['no principal', { capability: read, request: {} }],
    ['another safety class', { principal: roleless, capability: { ...read, safetyClass: 'read' } }],
    ['an unknown key', { principal: roleless, capability: read, requests: {} }],
    [
      'an unusable schema',
      { principal: roleless, capability: { ...read, argsSchema: { type: 'x' } } },
    ],
    ['an invalid graph', { principal: roleless, capability: read, graph: { primitives: 7 } }],
    [
      'a graph with a dangling target',
      {
        principal: roleless,
        capability: read,
        graph: { primitives: graph({}).primitives.slice(0, 1) },
      },
    ],
  ]
  test.each(lines)('is answered with an error: %s', (_, line) => {
    const answer = decideLine(line, base)
    expect(answer).toHaveProperty('error.code')
    expect(answer).toHaveProperty('error.message')
    expect(Object.keys(answer)).toEqual(['error'])
  })

  test('is one that is nested without end', () => {
    let args: object = {}
    for (let depth = 0; depth < 100_000; depth += 1) args = { args }
    const line = { principal: roleless, capability: read, request: { args } }
    expect(decideLine(line, base)).toHaveProperty('error.code', 'line_invalid')
  })
})

describe('a line', () => {
  test('denies, asks and allows by its own content alone', () => {
    const of = (principal: object, justification: string | null = null) =>
      decideLine({ principal, capability: write, request: { justification } }, base)
    expect(of(roleless)).toEqual(
      denied(['missing_role', 'never'], ['insufficient_justification', 'fix']),
    )
    expect(of(writer)).toEqual({
      outcome: 'ask',
      reasons: [{ code: 'insufficient_justification', recover: 'ask' }],
      constraints: {},
    })
    expect(of(writer, reason)).toEqual(allowed)
  })

  test('takes any arguments where the capability gives no schema, and the schema’s where it does', () => {
    const of = (capability: object) =>
      decideLine({ principal: roleless, capability, request: { args: { a: 1 } } }, base)
    const argsSchema = { type: 'object', additionalProperties: false }
    expect(of(read)).toEqual(allowed)
    expect(of({ ...read, argsSchema })).toEqual(denied(['invalid_arguments', 'fix']))
  })

  test('takes null for none', () => {
    const request = {
      args: null,
      justification: null,
      constraints: null,
      scope: null,
      cardinality: null,
    }
    expect(decideLine({ principal: roleless, capability: read, request }, base)).toEqual(allowed)
    expect(decideLine({ principal: writer, capability: write, request }, base)).toMatchObject({
      outcome: 'ask',
    })
  })

  test('looks a tool up in the catalog, with its own rules', () => {
    const { catalog = emptyCatalog } = catalogFromFile({
      capabilities: [{ ...write, concepts: ['file'] }],
    })
    const line = { principal: writer, tool: 'c', request: { justification: reason } }
    expect(decideLine(line, base)).toEqual(denied(['unknown_capability', 'fix']))
    expect(decideLine(line, { ...base, catalog })).toEqual(denied(['ungrounded', 'learn']))
    const withArgs = { ...line, request: { ...line.request, args: { a: 1 } } }
    expect(decideLine(withArgs, { ...base, catalog })).toEqual(
      denied(['invalid_arguments', 'fix'], ['ungrounded', 'learn']),
    )
  })

  test('stops a principal that is marked as suspended', () => {
    const principal = { ...roleless, suspended: true }
    expect(decideLine({ principal, capability: read, request: {} }, base)).toEqual(
      denied(['agent_suspended', 'never']),
    )
  })

  test('lists each code once', () => {
    const callback = 'check'
    const twice = graph({ callback })
    const [first] = twice.primitives
    const relata = first?.depths[2]?.relata ?? []
    relata.push({ ...Object(relata[0]), type: 'APPLIES_TO', target: 'delete' })
    const line = { principal: roleless, capability: deleting, request: {}, graph: twice }
    expect(decideLine(line, base)).toEqual(denied(['policy_faulted', 'never']))
  })
})

describe('what has to be known', () => {
  const of = (part: object) =>
    decideLine({ principal: roleless, capability: deleting, ...part }, base)

  test('is not known in no graph', () => {
    expect(of({})).toEqual(denied(['ungrounded', 'learn']))
  })

  test('is nothing without concepts', () => {
    expect(of({ capability: read })).toEqual(allowed)
  })

  test('is looked up in the graph of the line, or else in that of all lines', () => {
    const file = graph({ triggerCardinality: 'multiple' })
    const request = { cardinality: 'single' }
    expect(of({ graph: file, request })).toEqual(allowed)
    const known = { ...base, graph: graphFromFile(parseGraphFile(file)) }
    const line = { principal: roleless, capability: deleting, request }
    expect(decideLine(line, known)).toEqual(allowed)
    expect(decideLine({ ...line, graph: { primitives: [] } }, known)).toEqual(
      denied(['ungrounded', 'learn']),
    )
  })

  test('is more where the agent adds to it, in concepts or in depth', () => {
    const file = graph({ triggerCardinality: 'multiple' })
    const request = { cardinality: 'single' }
    expect(of({ graph: file, request: { ...request, concepts: ['user'] } })).toEqual(
      denied(['ungrounded', 'learn']),
    )
    expect(of({ graph: file, request: { ...request, minDepth: 3 } })).toEqual(
      denied(['ungrounded', 'learn']),
    )
    expect(of({ graph: file, request: { ...request, minDepth: 0, concepts: [] } })).toEqual(allowed)
  })
})

describe('the policies on what is known', () => {
  const reviewed = { outcome: 'review', reasons: [], constraints: {} }
  const of = (policy: object, part: object = {}, known: OfflineBase = base) =>
    decideLine(
      { principal: roleless, capability: deleting, graph: graph({ ...policy }), ...part },
      known,
    )

  test('open a review where one needs a person', () => {
    expect(of({})).toEqual(reviewed)
  })

  test('are triggered by the cardinality, and all of them by an unknown one', () => {
    const bulk = { triggerCardinality: 'multiple' }
    expect(of(bulk, { request: { cardinality: 'single' } })).toEqual(allowed)
    expect(of(bulk, { request: { cardinality: 'multiple' } })).toEqual(reviewed)
    expect(of(bulk)).toEqual(reviewed)
  })

  test('are triggered though the agent contradicts the catalog', () => {
    const capability = { ...deleting, cardinality: 'multiple' }
    const request = { cardinality: 'single' }
    expect(of({ triggerCardinality: 'multiple' }, { capability, request })).toEqual(reviewed)
  })

  test('ask no one about what is refused anyway', () => {
    const capability = { ...deleting, safetyClass: 'WRITE' }
    expect(of({}, { capability, request: { justification: reason } })).toEqual(
      denied(['missing_role', 'never']),
    )
    expect(of({}, { principal: writer, capability })).toEqual(
      denied(['insufficient_justification', 'fix']),
    )
  })

  const checked = { callback: 'check', requiresConfirmation: false }
  test('have faulted where nothing runs their callbacks', () => {
    expect(of(checked)).toEqual(denied(['policy_faulted', 'never']))
    expect(of(checked, {}, { ...base, callbacks: () => undefined })).toEqual(
      denied(['policy_faulted', 'never']),
    )
  })

  test('go by their callbacks where something runs them', () => {
    const runs = (passed: boolean) => ({ ...base, callbacks: () => ({ passed }) })
    expect(of(checked, {}, runs(true))).toEqual(allowed)
    expect(of(checked, {}, runs(false))).toEqual(denied(['policy_blocked', 'never']))
    // A rule that only checks asks no one, unless its author wants it.
    expect(of({ callback: 'check' }, {}, runs(false))).toEqual(denied(['policy_blocked', 'never']))
    const asks = { callback: 'check', requiresConfirmation: true }
    expect(of(asks, {}, runs(false))).toEqual(reviewed)
  })
})
