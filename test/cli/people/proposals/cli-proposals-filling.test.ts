// Filling a template in, step by step: what is asked follows from what is missing, defaults need
// no further answer, and what is unsound is reported and asked again.
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { graphFromFile } from '#knowledge/graph/graph'
import { candidateProblem } from '#messages/learning/candidate'
import { GraphFile } from '#schemas/graph'
import type { Candidate, Template } from '#schemas/learning'
import { openQuestions } from '#cli/terminal/questions'
import { candidateFrom, type Filling } from '#cli/people/proposals/ruling/filling'

const level = (number: number, properties: object = { what: 'known' }) => ({
  level: number,
  properties: number === 0 ? {} : properties,
})

const graph = graphFromFile(
  GraphFile.parse({
    primitives: [
      { name: 'file', depths: [level(0), level(1)] },
      { name: 'folder', depths: [level(0), level(1)] },
      { name: 'delete', depths: [level(0)] },
    ],
  }),
)

const apart: Template = { kind: 'REACHABILITY', primitive: 'delete', others: ['file'] }
const failed: Template = { kind: 'CONSTRAINT', primitives: ['delete', 'file'], detail: 'disk full' }

async function added(
  template: Template,
  answers: readonly string[],
  more: {
    readonly given?: Filling
    readonly proposed?: Candidate
    readonly concepts?: string[]
  } = {},
) {
  const input = new PassThrough()
  const output = new PassThrough()
  let said = ''
  output.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  input.end(answers.map((line) => `${line}\n`).join(''))
  const questions = openQuestions({ input, output })
  const query = { concepts: more.concepts ?? ['file', 'delete'] }
  const wanted = { template, query }
  const { proposed = null, given = {} } = more
  const asking = () => questions
  try {
    const candidate = await candidateFrom({ graph: () => graph, wanted, proposed, given, asking })
    expect(candidateProblem(graph, wanted, candidate)).toBe(null)
    return { candidate, said }
  } finally {
    questions.close()
  }
}

describe('an edge', () => {
  test('starts by default where nothing more has to be known', async () => {
    const { candidate, said } = await added(apart, ['delete → file', 'applies', '1', '', ''])
    expect(said).toContain('choose one of them')
    expect(said).toContain('`delete` is known down to D0 EXISTENCE; to D0 nothing more')
    expect(candidate).toEqual({
      levels: [],
      edge: {
        source: 'delete',
        target: 'file',
        type: 'APPLIES_TO',
        sourceLevel: 0,
        targetLevel: 1,
      },
    })
  })

  test('asks for the levels that its ends lack, its source first', async () => {
    const answers = ['2', 'REQUIRES', '2', 'IDENTITY', 'can=be erased', '', 'what=gone', '']
    const { candidate } = await added(apart, answers)
    expect(candidate.edge).toMatchObject({ source: 'file', sourceLevel: 2, targetLevel: 1 })
    expect(candidate.levels).toEqual([
      { name: 'file', levels: [level(2, { can: 'be erased' })] },
      { name: 'delete', levels: [level(1, { what: 'gone' })] },
    ])
  })

  test('of a constraint may lead to what no one has named, which is then described', async () => {
    const answers = ['delete', 'disk', '', '', '', 'what=where files lie', '']
    const { candidate, said } = await added(failed, answers)
    expect(said).toContain('`disk` is not in the graph')
    expect(said).toContain('Level of `disk`, the target [1]')
    expect(candidate).toEqual({
      levels: [{ name: 'disk', levels: [level(0), level(1, { what: 'where files lie' })] }],
      edge: {
        source: 'delete',
        target: 'disk',
        type: 'CONSTRAINED_BY',
        sourceLevel: 0,
        targetLevel: 1,
      },
    })
  })

  test('that ties nothing is reported, and asked again', async () => {
    const once = ['delete', 'delete', '0', '0']
    const { candidate, said } = await added(failed, [...once, 'file', 'folder', '', ''])
    expect(said).toContain('this cannot be accepted: an edge from `delete` to itself ties nothing')
    expect(candidate.edge).toMatchObject({ source: 'file', target: 'folder' })
  })

  test('that is unsound by flags alone is not asked again', async () => {
    const edge = { source: 'delete', type: 'APPLIES_TO', target: 'folder' } as const
    const given = { edge, sourceLevel: 0, targetLevel: 1 }
    await expect(added(apart, ['yes'], { given })).rejects.toMatchObject({
      code: 'candidate_unsound',
      message: expect.stringContaining('edge_elsewhere'),
    })
  })

  test('to a name that no fact can hold is not taken', async () => {
    const edge = { source: 'delete', type: 'CONSTRAINED_BY', target: 'x'.repeat(257) } as const
    const given = {
      edge,
      sourceLevel: 0,
      targetLevel: 0,
      level: [{ name: null, level: 0, properties: {} }],
    }
    await expect(added(failed, [], { given })).rejects.toMatchObject({
      code: 'candidate_unsound',
      message: expect.stringContaining('ill_formed: /levels/0/name'),
    })
  })

  test('that a model proposes is taken only by a yes', async () => {
    const edge = { source: 'delete', type: 'APPLIES_TO', target: 'file' } as const
    const proposed = { levels: [], edge: { ...edge, sourceLevel: 0, targetLevel: 0 } }
    const yes = await added(apart, ['yes'], { proposed })
    expect(yes.said).toContain('delete (D0) APPLIES_TO → file (D0)')
    expect(yes.candidate).toEqual(proposed)
    const no = await added(apart, ['', '1', '2', '', ''], { proposed })
    expect(no.candidate.edge).toMatchObject({ type: 'REQUIRES', targetLevel: 1 })
  })
})

describe('levels', () => {
  const unknown: Template = { kind: 'EXISTENCE', primitive: 'moon', levels: [0, 1] }
  const concepts = ['moon']

  test('have properties, but for that it exists', async () => {
    const { candidate, said } = await added(unknown, ['', '', 'what:rock', 'what = a rock', ''], {
      concepts,
    })
    expect(said).toContain('an empty level does not count')
    expect(said).toContain('write a sentence, or key=value')
    expect(candidate.levels).toEqual([
      { name: 'moon', levels: [level(0), { ...level(1), properties: { what: 'a rock' } }] },
    ])
  })

  test('are described in words, and no command counts as words', async () => {
    const command = "clear; warrant proposals teach EV9N2T8F --level 1 is='a rock'"
    const words = ['It goes round the earth.', 'It is = to no planet.', 'size=small', '']
    const { candidate, said } = await added(unknown, ['', command, ...words], { concepts })
    expect(said).toContain('D1 IDENTITY: what is it? A sentence, or key=value')
    expect(said).toContain('this is a command')
    const description = 'It goes round the earth. It is = to no planet.'
    expect(candidate.levels).toEqual([
      { name: 'moon', levels: [level(0), level(1, { description, size: 'small' })] },
    ])
  })

  test('of flags are meant of whatever is asked about, in any case', async () => {
    const properties = { what: 'a rock' }
    for (const name of [null, 'MOON']) {
      const given = { level: [{ name, level: 1, properties }] }
      const { candidate, said } = await added(unknown, [], { concepts, given })
      expect(said).toBe('')
      expect(candidate.levels).toEqual([{ name: 'moon', levels: [level(0), level(1, properties)] }])
    }
  })

  test('of flags must name the primitive, where two are asked about', async () => {
    const edge = { source: 'delete', type: 'APPLIES_TO', target: 'file' } as const
    const levels = [{ name: null, level: 2, properties: { what: 'x' } }]
    const given = { edge, sourceLevel: 1, targetLevel: 2, level: levels }
    await expect(added(apart, [], { given })).rejects.toMatchObject({
      code: 'usage',
      message: 'levels of `delete`, `file` are missing: give --level NAME:N key=value',
    })
  })

  test('that no one gives are not made up', async () => {
    await expect(added(unknown, [''], { concepts })).rejects.toMatchObject({ code: 'no_answer' })
  })
})
