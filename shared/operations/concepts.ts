// Concepts of the graph, as it is or was: each as a seed file has it.
import { levelText } from '#present/gap'
import { toned, type OnScreen } from '#present/lines'
import { neighbourhoodOf, wholeOf } from '#present/picture/of-graph'
import { overviewOf, partNamed } from '#present/picture/overview'
import { counted } from '#present/wording'
import { primitiveToFile } from '#knowledge/graph/graph'
import { idNamed } from '#knowledge/graph/near-names'
import { recordAt } from '#knowledge/graph/revision'
import type { Primitive } from '#schemas/graph'
import { conceptsAsked, graphPartsAsked } from '#schemas/operations/concepts'
import { answersOf, pageLeft, rowsShown } from './answering.ts'
import { knownThen } from './finding/then.ts'
import { answeredNow, pageByName } from './realm.ts'

export const conceptsAnswered = answersOf(conceptsAsked, {
  async answer({ realm }, { around, hops, part, search = '', at, ...page }) {
    const { graph, graphRevision: revision, position } = await knownThen(realm, at, 'graph')
    const name = (id: number): string => recordAt(graph, id).name
    const among = part === undefined ? wholeOf(graph) : partNamed(graph, part)
    const near = around === undefined ? among : neighbourhoodOf(graph, idNamed(graph, around), hops)
    const wanted = search.toLowerCase()
    const ids = [...near].filter((id) => name(id).toLowerCase().startsWith(wanted))
    const row = (id: number): Primitive => primitiveToFile(graph, recordAt(graph, id))
    return { ...pageByName(realm, ids, page, { name, row }), position, revision }
  },
  shown({ rows, count, next, revision }) {
    const left = next === null ? [] : ['', pageLeft(rows.length, { count, next })]
    return [
      toned('dim', `${counted(count, 'concept')}, revision ${revision}`),
      ...rows.flatMap(conceptLines),
      ...left,
    ]
  },
})

export const graphPartsAnswered = answersOf(graphPartsAsked, {
  async answer({ realm }, { at }) {
    const { graph, graphRevision: revision, position } = await knownThen(realm, at, 'graph')
    const { levels, types, parts, links, apart } = overviewOf(graph)
    return {
      ...answeredNow(realm),
      position,
      revision,
      count: graph.size,
      levels: [...levels],
      types: [...types],
      parts: parts.map(({ names, ...part }) => ({ ...part, names: [...names] })),
      links: [...links],
      apart,
    }
  },
  shown({ count, revision, parts, apart }) {
    return [
      toned('dim', `${counted(count, 'concept')}, revision ${revision}`),
      ...rowsShown(
        {
          empty: 'the graph is empty',
          columns: [
            ['part', ({ name }) => name],
            ['concepts', (part) => String(part.count)],
            ['such as', ({ names }) => names.join(', ')],
          ],
        },
        parts,
      ),
      ...(apart === 0 ? [] : [`${apart} more are in no part that is listed`]),
    ]
  },
})

function conceptLines({ name, depths }: Primitive): readonly OnScreen[] {
  return [
    toned('strong', name),
    ...depths.flatMap(({ level, relata }) => [
      `  ${levelText(level)}`,
      ...relata.map(({ type, target, targetDepth, policies }) => {
        const rules = policies.map((policy) => policy.name)
        const ruled = rules.length === 0 ? '' : `, rules: ${rules.join(', ')}`
        return `    ${type} → ${target} (D${targetDepth})${ruled}`
      }),
    ]),
  ]
}
