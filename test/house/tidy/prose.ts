// Where facts are made, no text is: what stages derive holds codes and params, so that a changed
// word never makes a recorded decision differ.
import { at, sourcesOf, visit, type Files, type Source } from './source.ts'

/** What decides, folds and drafts. */
const deriving = new RegExp(
  '^shared/(?:rules/chain|stages|state)/|^shared/messages/(?:learning/)?[\\w-]+\\.ts$' +
    '|^services/workers/[^/]+/decider\\.ts$',
)

/** Whole files whose text never reaches a derived fact. */
const exempt: ReadonlyMap<string, string> = new Map([
  ['shared/state/early.ts', 'its keys are no text'],
  ['shared/messages/learning/ruler.ts', 'it says why a ruling counts for nothing'],
  ['shared/messages/learning/task.ts', 'it asks a model'],
  ['shared/messages/build.ts', 'it builds messages, which are their sender’s own words'],
])

/** Why a fact counts for nothing is stated where it is folded, and kept in no fact. */
const voids = /^shared\/state\//

const faulting: ReadonlySet<string> = new Set(['Fault', 'Error', 'assert', 'unreachable'])

type Range = readonly [start: number, end: number]

/** Every text of two words or more that could end up in a fact. */
export function factsHoldNoProse(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    const isJudged = deriving.test(source.path) && !exempt.has(source.path)
    return isJudged ? proseIn(source) : []
  })
}

function proseIn(source: Source): readonly string[] {
  const allowed = allowedIn(source)
  const found: string[] = []
  const judge = (text: string, start: number): void => {
    if (!/\s/.test(text.trim()) || !/\p{L}{2}/u.test(text)) return
    if (allowed.some(([from, to]) => from <= start && start < to)) return
    found.push(at(source, start, 'holds a sentence: give a code with params, and render it'))
  }
  visit(source, {
    Literal({ value, start }) {
      if (typeof value === 'string') judge(value, start)
    },
    TemplateLiteral({ quasis, start }) {
      // What is filled in stands for a word without letters.
      judge(quasis.map(({ value }) => value.raw).join('0'), start)
    },
  })
  return found
}

function allowedIn(source: Source): readonly Range[] {
  const ranges: Range[] = []
  const allow = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    ranges.push([start, end])
  }
  visit(source, {
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && faulting.has(node.callee.name)) allow(node)
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && faulting.has(node.callee.name)) allow(node)
    },
    ThrowStatement: allow,
  })
  if (!voids.test(source.path)) return ranges
  visit(source, {
    ReturnStatement: allow,
    ArrowFunctionExpression({ body }) {
      if (body.type !== 'BlockStatement') allow(body)
    },
  })
  return ranges
}
