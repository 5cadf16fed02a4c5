// The tree of a grounding: all that an answer names is there once, no name breaks out of its place,
// no line is wider than the terminal, and what is left out is counted, with where to see it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indentedLines, textOfLine } from '#cli/terminal/line'
import { columnsOfText, wrapped } from '#cli/terminal/width'
import { graphFromFile } from '#knowledge/graph/graph'
import { ground } from '#knowledge/grounding/ground'
import { lacking, lacksText } from '#present/gap'
import { groundingTree, treeOfIntent, treeText, type Grounded } from '#present/grounding-tree'
import type { PathwayEdge, RelationType } from '#schemas/graph'
import { graphOf } from '../support/samples/graph-builder.ts'
import { concepts, graphFile, minDepth, profile } from '../support/samples/graph-arbitraries.ts'
import { count } from '../support/vitest/counts.ts'

const numRuns = count(2_000, 100)

test('it is read at a glance', () => {
  const graph = graphOf(
    'create 0-3',
    'permission 0-3',
    'file 0-1',
    'create@3 APPLIES_TO file@2',
    'create@3 CONSTRAINED_BY permission@1',
  )
  const answer = ground(graph, { concepts: ['create', 'file', 'moon'], profile: 'strict' })
  expect(treeText(answer).split('\n')).toEqual([
    '● ● ● ●  create',
    '  ├ D3 APPLIES_TO file D2',
    '  └ D3 CONSTRAINED_BY permission D1',
    '● ● ✗    file',
    '  └ ✗ is known down to D1 IDENTITY, and D2 CAPABILITIES is needed by `create`: ' +
      'describe it down to D2',
    '✗        moon',
    '  └ ✗ is not in the graph: add it',
    '● ● ● ●  permission',
    'not grounded: 2 gaps',
  ])
})

test('each concept, gap and edge that the answer names is there once', () => {
  const query = fc.record({ concepts, minDepth, profile })
  fc.assert(
    fc.property(graphFile, query, (file, asked) => {
      const answer = ground(graphFromFile(file), asked)
      const read = readTree(treeText(answer))
      expect(read.map(({ name }) => name).toSorted()).toEqual(namesOf(answer))
      for (const { name, dots, below } of read) {
        const level = answer.visible.find((each) => each.name === name)?.level ?? null
        expect(dots.filter((dot) => dot === '●')).toHaveLength(level === null ? 0 : level + 1)
        const gaps = answer.gaps.filter((gap) => lacking(gap) === name)
        expect(
          dots.includes('✗') || below.some((line) => line.startsWith('✗ is not related')),
        ).toBe(gaps.length > 0)
        expect(below.filter((line) => !line.startsWith('rule '))).toEqual([
          ...gaps.map((gap) => expect.stringContaining(`✗ ${lacksText(gap)}: `)),
          ...edgesOf(answer.pathway, name),
          ...edgesOf(answer.gated, name).map((text) => expect.stringContaining(`✗ ${text}: `)),
        ])
        const rules = answer.policies.filter(({ source }) => source === name)
        expect(below.filter((line) => line.startsWith('rule '))).toHaveLength(rules.length)
      }
    }),
    { numRuns },
  )
})

describe('whatever something is called', () => {
  const named = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '\u202eelif',
      '● ● ● ●  delete',
      'grounded: all of it\ngrounded: all',
      '└ D3 APPLIES_TO all D0',
      'a`b` is fine',
      '日本語'.repeat(20),
      '\u3164',
      '👩‍👩‍👧‍👦'.repeat(9),
      'x'.repeat(300),
    ),
  )
  const answers = fc.array(named, { minLength: 2, maxLength: 5 }).map(hostileAnswer)

  test('it stays in its place, and nothing of it is hidden', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const text = treeText(answer, { rest: '`here`' })
        expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}\u2028\u2029]/u)
        const read = readTree(text)
        expect(read).toHaveLength(namesOf(answer).length)
        expect(read.flatMap(({ below }) => below)).toHaveLength(
          answer.gaps.length + answer.pathway.length + answer.gated.length,
        )
        expect(text.split('\n').filter((line) => /^(?:not )?grounded: /.test(line))).toHaveLength(1)
      }),
      { numRuns },
    )
  })

  test('no line is wider than the terminal, and none of its words is lost', () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 20, max: 100 }), fc.nat(3), (answer, columns, by) => {
        let lines = groundingTree(answer)
        for (let deep = 0; deep < by; deep += 1) lines = indentedLines(lines)
        const rows = wrapped(lines, columns).map(textOfLine)
        expect(rows.filter((row) => columnsOfText(row) > columns)).toEqual([])
        const bare = (texts: readonly string[]): string => texts.join('').replaceAll(' ', '')
        expect(bare(rows)).toBe(bare(lines.map(textOfLine)))
      }),
      { numRuns: count(600, 40) },
    )
  })
})

describe('what is left out', () => {
  const names = Array.from({ length: 40 }, (_, index) => `no ${index}`)
  const answer = ground(graphOf('file 0'), { concepts: names, profile: 'strict' })

  test('is counted, and it says where all of it is', () => {
    const text = treeOfIntent({ ...answer, concepts: names }, 'bot.-.01JZ0000000000000000000042')
    const shown = '`warrant graph show --intent 00000042`'
    expect(text).toContain(`\nand 16 more concepts, 16 gaps: ${shown}\nnot grounded: 40 gaps`)
    expect(treeText(answer)).toContain('`no 39`')
  })

  test('is stated of names that are cut, too', () => {
    const long = ground(graphOf('file 0'), { concepts: ['y'.repeat(200)], profile: 'strict' })
    const text = treeText(long, { rest: '`--json`' })
    expect(text).toContain('…`\n')
    expect(text).toContain('names that end in … are whole there: `--json`')
    expect(treeText(long)).toContain('y'.repeat(200))
  })

  test('and of what the log does not keep', () => {
    const text = treeText({ ...answer, gapsOmitted: 2, pathwayOmitted: 1 })
    expect(text).toContain('and 2 more gaps; the log does not keep them')
    expect(text).toContain('and 1 more edge; the log does not keep them')
    expect(text).toContain('not grounded: 42 gaps')
  })
})

interface ReadConcept {
  readonly name: string
  readonly dots: readonly string[]
  readonly below: string[]
}

/** The concepts of a tree, each with the lines below it. */
function readTree(text: string): readonly ReadConcept[] {
  const read: ReadConcept[] = []
  for (const line of text.split('\n')) {
    const head = /^((?:[●✗○] ?)+) +(.+)$/u.exec(line)
    if (head !== null) {
      const [, dots = '', name = ''] = head
      read.push({ name, dots: dots.trim().split(' '), below: [] })
    } else if (/^ {2}[├└] /.test(line)) read.at(-1)?.below.push(line.slice(4))
  }
  return read
}

function namesOf({ resolved, visible, gaps, pathway, gated }: Grounded): readonly string[] {
  return [
    ...new Set([
      ...resolved,
      ...visible.map(({ name }) => name),
      ...gaps.map(lacking),
      ...[...pathway, ...gated].map(({ source }) => source),
    ]),
  ].toSorted()
}

function edgesOf(edges: readonly PathwayEdge[], name: string): readonly string[] {
  return edges
    .filter(({ source }) => source === name)
    .map(({ sourceDepth, type, target, targetDepth }) => {
      return `D${sourceDepth} ${type} ${target} D${targetDepth}`
    })
}

/** An answer about these names, with an edge that counts, one that does not, and gaps. */
function hostileAnswer([first = '', ...others]: readonly string[]): Grounded {
  const edge = (source: string, target: string): PathwayEdge => {
    const type: RelationType = 'APPLIES_TO'
    return { source, type, sourceDepth: 1, target, targetDepth: 0 }
  }
  return {
    grounded: false,
    resolved: [first, ...others],
    visible: [{ name: first, level: 1 }],
    gaps: others.map((primitive) => ({ kind: 'EXISTENCE', primitive })),
    pathway: others.map((target) => edge(first, target)),
    gated: others.map((source) => edge(source, first)),
    policies: [],
  }
}
