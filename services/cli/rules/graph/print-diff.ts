// What changed in the graph, as a tree with a mark before each line.
import type { EdgeChange, LevelChange, PrimitiveChange } from '#knowledge/graph/graph-difference'
import {
  changedProperties,
  type EdgeTerms,
  type PropertyChange,
} from '#knowledge/graph/graph-difference'
import { levelText } from '#present/gap'
import { counted } from '#present/wording'
import { edgeText, policyText, provenanceText, valueText } from './print.ts'
import { toned, type Line } from '#cli/terminal/line'

export type DiffMark = 'added' | 'removed' | 'changed'

const marks = { added: '+', removed: '-', changed: '~' } as const
const tones = { added: 'good', removed: 'bad', changed: 'warn' } as const

export function marked(mark: DiffMark, depth: number, text: string): Line {
  return toned(tones[mark], `${'    '.repeat(depth)}${marks[mark]} ${text}`)
}

export function graphDiffLines(changes: readonly PrimitiveChange[]): readonly Line[] {
  if (changes.length === 0) return ['no changes']
  const counts = (['added', 'removed', 'changed'] as const).flatMap((mark) => {
    const count = changes.filter(({ change }) => change === mark).length
    return count === 0 ? [] : [`${count} ${mark}`]
  })
  const head = toned('dim', `${counted(changes.length, 'primitive')}: ${counts.join(', ')}`)
  return [head, ...changes.flatMap(primitiveLines)]
}

function primitiveLines({ change, name, renamedFrom, levels }: PrimitiveChange): readonly Line[] {
  const was = renamedFrom === null ? '' : `, which was ${renamedFrom}`
  return [marked(change, 0, `${name}${was}`), ...levels.flatMap(levelLines)]
}

function levelLines({
  change,
  level,
  provenance,
  properties,
  edges,
}: LevelChange): readonly Line[] {
  const isRestated = change === 'changed' && properties.length === 0 && edges.length === 0
  const by = provenance === null ? '' : `: ${provenanceText(provenance)}`
  const again = isRestated ? `, restated${by}` : ''
  return [
    marked(change, 1, `${levelText(level)}${again}`),
    ...properties.map((property) => propertyLine(2, property)),
    ...edges.flatMap(edgeLines),
  ]
}

function propertyLine(depth: number, { key, before, after }: PropertyChange): Line {
  if (before === undefined) return marked('added', depth, `${key}: ${valueText(after)}`)
  if (after === undefined) return marked('removed', depth, `${key}: ${valueText(before)}`)
  return marked('changed', depth, `${key}: ${valueText(before)} → ${valueText(after)}`)
}

function edgeLines({ type, target, before, after }: EdgeChange): readonly Line[] {
  if (before === null || after === null) {
    const mark = before === null ? 'added' : 'removed'
    const terms = before ?? after
    if (terms === null) return []
    return [
      marked(mark, 2, edgeText(type, target, terms.targetDepth)),
      ...terms.policies.map((policy) => marked(mark, 3, policyText(policy))),
    ]
  }
  const { targetDepth } = before
  const depth = targetDepth === after.targetDepth ? '' : `, which was D${targetDepth}`
  return [
    marked('changed', 2, `${edgeText(type, target, after.targetDepth)}${depth}`),
    ...changedProperties(before.metadata, after.metadata).map((each) => propertyLine(3, each)),
    ...policyLines(before, after),
  ]
}

function policyLines(before: EdgeTerms, after: EdgeTerms): readonly Line[] {
  const was = new Set(before.policies.map((policy) => JSON.stringify(policy)))
  const is = new Set(after.policies.map((policy) => JSON.stringify(policy)))
  const gone = before.policies.filter((policy) => !is.has(JSON.stringify(policy)))
  const come = after.policies.filter((policy) => !was.has(JSON.stringify(policy)))
  return [
    ...gone.map((policy) => marked('removed', 3, policyText(policy))),
    ...come.map((policy) => marked('added', 3, policyText(policy))),
  ]
}
