// The offline commands as programs: every answer to the letter, keys in the order that is promised.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { answersExactly, folder } from './program.ts'

describe('vlp check', () => {
  const claim = {
    id: 'MSG-1',
    protocol: 'VLP/1.1',
    type: 'claim',
    timestamp: '2026-01-02T03:04:05Z',
    sender: 'ann',
    content: 'the file is there',
    confidence: 0.5,
  }
  const cited = { ...claim, provenance: ['https://example.org/a'] }
  const safety = (level: string) => ({ safety: { level, issues: [] } })
  const issue = (code: string, severity: string, path: string) => ({ code, severity, path })
  const answer = (outcome: string, issues: object[], integrity: number, gate: string) =>
    JSON.stringify({ outcome, issues, integrity, gate })

  test('answers as the table of codes has it', async () => {
    await answersExactly(
      ['vlp', 'check'],
      [
        [claim, '{"outcome":"pass","issues":[],"integrity":50,"gate":"review"}'],
        [cited, '{"outcome":"pass","issues":[],"integrity":62,"gate":"review"}'],
        [{ ...claim, provenance: ['a', 'b', 'c'] }, answer('pass', [], 86, 'pass')],
        [
          { ...cited, type: 'evidence' },
          answer(
            'fail',
            [issue('evidence_missing_refers_to', 'error', '/refers_to')],
            62,
            'review',
          ),
        ],
        [
          { ...claim, type: 'evidence', refers_to: 'MSG-0' },
          answer(
            'fail',
            [issue('evidence_missing_provenance', 'error', '/provenance')],
            50,
            'review',
          ),
        ],
        [
          { ...claim, type: 'response' },
          answer(
            'fail',
            [issue('response_missing_refers_to', 'error', '/refers_to')],
            50,
            'review',
          ),
        ],
        [
          { ...claim, confidence: 0.9 },
          answer(
            'review',
            [issue('missing_provenance_high_confidence', 'warning', '/provenance')],
            50,
            'review',
          ),
        ],
        [
          { ...cited, ...safety('block') },
          answer('fail', [issue('safety_block', 'error', '/safety/level')], 62, 'review'),
        ],
        [
          { ...cited, ...safety('review') },
          answer('review', [issue('safety_review', 'warning', '/safety/level')], 62, 'review'),
        ],
        [
          { ...cited, timestamp: 'not-a-date!' },
          answer('pass', [issue('timestamp_invalid', 'info', '/timestamp')], 62, 'review'),
        ],
        [
          { ...cited, gate: 'pass' },
          answer('pass', [issue('computed_field_spoofed', 'info', '/gate')], 62, 'review'),
        ],
        [5, answer('fail', [issue('schema_invalid', 'error', '')], 0, 'fail')],
      ],
    )
  })
})

test('vlp check --details adds what an issue is made of, and what it means', async () => {
  const of = (issue: string) => `{"outcome":"fail","issues":[${issue}],"integrity":0,"gate":"fail"}`
  const detail = 'type: it must be an object'
  const params = '{"keyword":"type","expected":{"type":"object"}}'
  const issue = `{"code":"schema_invalid","severity":"error","path":"","detail":"${detail}"`
  await answersExactly(['vlp', 'check', '--details'], [[5, of(`${issue},"params":${params}}`)]])
})

const level = (level: number, relata: readonly object[] = []) => ({
  level,
  properties: { what: 'is known' },
  relata,
})
const file = { name: 'file', depths: [level(0), level(1), level(2)] }
const onFile = (targetDepth: number, policies: readonly object[] = []) => ({
  type: 'APPLIES_TO',
  target: 'file',
  targetDepth,
  policies,
})
const graphOf = (...primitives: object[]) => ({ primitives })
const removing = (targetDepth: number, policies: readonly object[] = []) =>
  graphOf(file, { name: 'delete', depths: [level(0), level(1, [onFile(targetDepth, policies)])] })

describe('ground', () => {
  const edge =
    '{"source":"delete","target":"file","type":"APPLIES_TO","sourceDepth":1,"targetDepth":2}'

  test('answers what is known, and each kind of gap', async () => {
    const concepts = ['delete', 'file']
    const graph = removing(2)
    await answersExactly(
      ['ground'],
      [
        [
          { concepts, graph },
          `{"grounded":true,"resolved":["delete","file"],"gaps":[],"pathway":[${edge}]}`,
        ],
        [{ concepts: [], graph }, '{"grounded":false,"resolved":[],"gaps":[],"pathway":[]}'],
        [
          { concepts: ['disk'], graph },
          '{"grounded":false,"resolved":["disk"],' +
            '"gaps":[{"kind":"EXISTENCE","primitive":"disk"}],"pathway":[]}',
        ],
        [
          { concepts: ['File'], minDepth: 3, graph },
          '{"grounded":false,"resolved":["file"],' +
            '"gaps":[{"kind":"DEPTH","primitive":"file","required":3,"current":2}],"pathway":[]}',
        ],
        [
          { concepts, graph: removing(4) },
          '{"grounded":false,"resolved":["delete","file"],"gaps":[{"kind":"RELATIONAL",' +
            '"source":"delete","target":"file","required":4,"current":2}],' +
            '"pathway":[{"source":"delete","target":"file","type":"APPLIES_TO",' +
            '"sourceDepth":1,"targetDepth":4}]}',
        ],
        [
          { concepts, graph: graphOf(file, { name: 'delete', depths: [level(0)] }) },
          '{"grounded":false,"resolved":["delete","file"],' +
            '"gaps":[{"kind":"REACHABILITY","primitive":"file"}],"pathway":[]}',
        ],
      ],
    )
  })

  test('takes the graph of a file for lines that bring none, by either profile', async () => {
    const hollow = { name: 'file', depths: [level(0), { level: 1 }] }
    writeFileSync(join(folder(), 'hollow.json'), JSON.stringify(graphOf(hollow)))
    const question = { concepts: ['file'], minDepth: 1 }
    const gap = '{"kind":"DEPTH","primitive":"file","required":1,"current":0}'
    await answersExactly(
      ['ground', '--graph', 'hollow.json'],
      [
        [question, `{"grounded":false,"resolved":["file"],"gaps":[${gap}],"pathway":[]}`],
        [
          { ...question, graph: graphOf(file) },
          '{"grounded":true,"resolved":["file"],"gaps":[],"pathway":[]}',
        ],
      ],
    )
    await answersExactly(
      ['ground', '--graph', 'hollow.json', '--profile', 'classic'],
      [[question, '{"grounded":true,"resolved":["file"],"gaps":[],"pathway":[]}']],
    )
  })
})

describe('decide', () => {
  const asking = (roles: readonly string[], safetyClass: string, request: object, more = {}) => ({
    principal: { id: 'p', roles, attributes: {} },
    capability: { id: 'c', safetyClass, sensitivity: 'NONE', ...more },
    request,
  })
  const why = { justification: 'fifteen letters' }

  test('answers as the capability rules have it', async () => {
    await answersExactly(
      ['decide'],
      [
        [asking([], 'READ', {}), '{"outcome":"allow","reasons":[],"constraints":{"max_rows":50}}'],
        [
          asking(['service'], 'READ', { constraints: { max_rows: 9999, x: 1 } }),
          '{"outcome":"allow","reasons":[],"constraints":{"max_rows":500,"x":1}}',
        ],
        [
          asking([], 'READ', { constraints: { max_rows: 'abc' } }),
          '{"outcome":"deny","reasons":[{"code":"invalid_constraint","recover":"fix"}],' +
            '"constraints":{}}',
        ],
        [
          asking([], 'WRITE', why),
          '{"outcome":"deny","reasons":[{"code":"missing_role","recover":"never"}],' +
            '"constraints":{}}',
        ],
        [
          asking(['writer'], 'WRITE', { justification: 'fourteen chars' }),
          '{"outcome":"ask","reasons":[{"code":"insufficient_justification","recover":"ask"}],' +
            '"constraints":{}}',
        ],
        [
          asking(['writer'], 'WRITE', why),
          '{"outcome":"allow","reasons":[],"constraints":{"max_rows":50}}',
        ],
        [
          asking(['writer'], 'WRITE', {}, { sensitivity: 'SECRETS' }),
          '{"outcome":"deny","reasons":[{"code":"missing_role","recover":"never"},' +
            '{"code":"insufficient_justification","recover":"fix"}],"constraints":{}}',
        ],
        [
          asking([], 'READ', {}, { sensitivity: 'PII' }),
          '{"outcome":"deny","reasons":[{"code":"missing_tenant_attribute","recover":"never"}],' +
            '"constraints":{}}',
        ],
        [
          { principal: { id: 'p' }, tool: 'nothing', request: {} },
          '{"outcome":"deny","reasons":[{"code":"unknown_capability","recover":"fix"}],' +
            '"constraints":{}}',
        ],
      ],
    )
  })

  test('knows the graph and the catalog of the files', async () => {
    const capabilities = [
      { id: 'files.delete', safetyClass: 'READ', concepts: ['delete', 'file'] },
      { id: 'files.read', safetyClass: 'READ', concepts: ['file'] },
    ]
    writeFileSync(join(folder(), 'catalog.json'), JSON.stringify({ capabilities }))
    const asks = removing(2, [{ name: 'bulk', triggerCardinality: 'multiple' }])
    writeFileSync(join(folder(), 'graph.json'), JSON.stringify(asks))
    const using = (tool: string, request: object = {}, more = {}) => ({
      principal: { id: 'p', roles: [], attributes: {} },
      tool,
      request,
      ...more,
    })
    const allowed = '{"outcome":"allow","reasons":[],"constraints":{"max_rows":50}}'
    const ungrounded =
      '{"outcome":"deny","reasons":[{"code":"ungrounded","recover":"learn"}],"constraints":{}}'
    await answersExactly(
      ['decide', '--graph', 'graph.json', '--catalog', 'catalog.json'],
      [
        [using('files.read'), allowed],
        [using('files.delete', { cardinality: 'single' }), allowed],
        [using('files.delete'), '{"outcome":"review","reasons":[],"constraints":{}}'],
        [using('files.read', {}, { graph: graphOf() }), ungrounded],
        [
          using('files.read', { args: { path: 'a' } }),
          '{"outcome":"deny","reasons":[{"code":"invalid_arguments","recover":"fix"}],' +
            '"constraints":{}}',
        ],
      ],
    )
  })
})

test('policy resolve answers as the table of policies has it', async () => {
  const given = (requiresConfirmation: boolean, passed: boolean | null) => ({
    requiresConfirmation,
    callback: passed === null ? null : { passed },
  })
  const block = (asked: boolean, reason: string) =>
    JSON.stringify({ action: 'BLOCK', asked, reason })
  await answersExactly(
    ['policy', 'resolve'],
    [
      [{ violations: [], answers: null }, '{"action":"PASS","asked":false,"reason":null}'],
      [
        { violations: [given(false, true)], answers: null },
        '{"action":"PASS","asked":false,"reason":null}',
      ],
      [{ violations: [given(false, false)], answers: [true] }, block(false, 'policy_blocked')],
      [
        { violations: [given(true, false)], answers: [true] },
        '{"action":"PASS","asked":true,"reason":null}',
      ],
      [{ violations: [given(true, true)], answers: [false] }, block(true, 'declined')],
      [{ violations: [given(true, true)], answers: null }, block(false, 'no_confirmer')],
      [{ violations: [given(true, null)], answers: [] }, block(true, 'declined')],
      [
        { violations: [given(true, null), given(false, false)], answers: [true, true] },
        block(false, 'policy_blocked'),
      ],
    ],
  )
})
