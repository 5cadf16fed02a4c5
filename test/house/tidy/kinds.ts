// Who may ask which kind a fact is, or which stage a worker runs. Shared code asks the table of
// kinds for a property, or lets the stage declare its answer, so that a new kind or stage is not
// forgotten there.
import type { Node } from 'oxc-parser'
import { allRoles, powersOf } from '#record/roles'
import { allKinds } from '#schemas/kinds'
import { at, sourcesOf, visit, type Files } from './source.ts'

/** What reads facts one kind at a time, and has a case for each kind that it is about. */
const readers: readonly (readonly [path: string, why: string])[] = [
  ['shared/state/', 'the fold'],
  ['shared/stages/', 'what deciders share'],
  ['shared/runtime/learning/', 'the learning stage'],
  ['shared/gates/', 'the verification stage'],
  ['shared/replay/derived-work.ts', 'what a verifier bound, derived again'],
  ['shared/authoring/', 'authors of the two kinds of change sets'],
  ['shared/replay/what-if/', 'what a decider drew up'],
  ['shared/replay/redemptions.ts', 'the check of starts and outcomes'],
  ['shared/replay/ranges/skimming.ts', 'what finds out the state quickly'],
  ['shared/replay/verdicts/', 'what proves verdicts'],
  ['shared/present/', 'what puts facts into words'],
  ['shared/operations/finding/', 'what looks for facts by what they say'],
  ['shared/operations/proposals/', 'what finds proposals by their names, and what became of each'],
  ['shared/operations/counting/', 'what counts what they say'],
]

const stages = allRoles.flatMap((role) => powersOf(role).queue ?? [])
const names: ReadonlySet<string> = new Set([...allKinds, ...stages])
const askedOf: ReadonlySet<string> = new Set(['kind', 'name', 'stage', 'queue', 'source', 'role'])
const remedy = 'let the table of kinds or the stage say it'

/** Every test of the name of a kind or stage in shared code. */
export function kindsFromTheTable(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    const { path } = source
    const isShared = path.startsWith('shared/')
    if (!isShared || readers.some(([reader]) => path.startsWith(reader))) return []
    const found: string[] = []
    const judge = (asked: Node, wanted: Node): void => {
      const name = nameIn(wanted)
      if (name === null || !askedOf.has(lastWordOf(asked) ?? '')) return
      found.push(at(source, wanted.start, `asks for \`${name}\`: ${remedy}`))
    }
    visit(source, {
      BinaryExpression({ operator, left, right }) {
        if (operator !== '===' && operator !== '!==') return
        judge(left, right)
        judge(right, left)
      },
      SwitchStatement({ discriminant, cases }) {
        for (const { test } of cases) if (test !== null) judge(discriminant, test)
      },
      NewExpression({ callee, arguments: [given] }) {
        if (callee.type !== 'Identifier' || callee.name !== 'Set') return
        if (given?.type !== 'ArrayExpression') return
        const kinds = given.elements.filter((element) => element !== null && nameIn(element))
        if (kinds.length === 0 || kinds.length < given.elements.length) return
        found.push(at(source, given.start, `lists kinds or stages: ${remedy}`))
      },
    })
    return found
  })
}

function nameIn(node: Node): string | null {
  if (node.type !== 'Literal' || typeof node.value !== 'string') return null
  return names.has(node.value) ? node.value : null
}

/** `kind` of `kind`, `parts.kind` and `parts?.kind`. */
function lastWordOf(node: Node): string | null {
  switch (node.type) {
    case 'Identifier':
      return node.name
    case 'ChainExpression':
      return lastWordOf(node.expression)
    case 'MemberExpression':
      return node.property.type === 'Identifier' ? node.property.name : null
    default:
      return null
  }
}
