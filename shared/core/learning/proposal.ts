// The next proposal that a question gives rise to, and the change set that a ruling comes to. Both
// follow from the log, but for what a model filled in, which is recorded.
import type { GraphOperation } from '#schemas/graph'
import type { Filled, Proposed, Template } from '#schemas/learning'
import { jsonOf } from '../canonical.ts'
import { digestOfJson } from '../digest.ts'
import type { Draft } from '../event.ts'
import { agentIn, nameOf } from '../names.ts'
import type { World } from '../world/world.ts'
import { operationsOf } from './candidate.ts'
import type { Source } from './source.ts'
import { nextRound, standingOf, type OpenProposal } from './state.ts'
import { templatesFor } from './template.ts'

/** A proposal before anybody filled it in. */
export interface NextProposal {
  readonly id: string
  readonly round: number
  readonly template: Template
}

/** What is to be proposed next, by this world; null where nobody has to be asked anything. */
export function nextProposal(world: World, source: Source): NextProposal | null {
  if (!world.catalog.learning || world.sealed !== null) return null
  for (const template of templatesOf(world, source)) {
    if (standing(world, source, template) !== 'askable') continue
    return { ...nextRound(world.learning, template), template }
  }
  return null
}

const detailCharactersMax = 400

function templatesOf(world: World, { asked, failure }: Source): readonly Template[] {
  if (failure === null) return templatesFor(world.graph, asked)
  const primitives = [...asked.concepts]
  const detail = failure.slice(0, detailCharactersMax).toWellFormed().trim()
  return primitives.length === 0 || detail === ''
    ? []
    : [{ kind: 'CONSTRAINT', primitives, detail }]
}

function standing(world: World, { intent, since }: Source, template: Template) {
  const agent = agentIn(intent.address)
  const { graph, appendedAt: now } = world
  return standingOf(world.learning, template, { agent, since, graph, now })
}

export function proposalDraft(
  world: World,
  source: Source,
  { id, round, template }: NextProposal,
  filled: Filled | null,
): Draft<'proposal'> {
  const { intent, from, asked } = source
  const proposed = { template, asked, filled }
  return {
    kind: 'proposal',
    name: nameOf(world.place, 'proposal', id),
    data: {
      intent,
      from,
      round,
      ...proposed,
      digest: digestOfProposed(proposed),
      graphRevision: world.graphRevision,
    },
  }
}

/** Of what people are shown; their rulings repeat it. */
export function digestOfProposed({ template, asked, filled }: Proposed): string {
  return digestOfJson(jsonOf({ template, asked, filled }))
}

/** The operations that the ruling on this proposal comes to. Throws where nobody agreed to it. */
export function operationsAgreed(
  graph: World['graph'],
  { data, agreed }: Pick<OpenProposal, 'data' | 'agreed'>,
): readonly GraphOperation[] {
  if (agreed === null) throw new Error('broken invariant: only what is agreed to is put in')
  return operationsOf(graph, agreed.candidate, {
    source: agreed.word === 'accepted' ? 'learned' : 'conversational',
    by: agreed.by,
    at: new Date(agreed.appendedAt).toISOString(),
    intent: data.intent.address,
  })
}

/** The change set that puts in what was agreed to: nobody signs it, since it follows. */
export function learntChange(world: World, proposal: OpenProposal): Draft<'graph'> {
  const { agreed, data } = proposal
  const revision = world.graphSeries.next
  return {
    kind: 'graph',
    name: nameOf(world.place, 'graph', revision),
    data: {
      revision,
      by: agreed?.by ?? '',
      ruling: agreed?.ruling ?? '',
      operations: [...operationsAgreed(world.graph, { data, agreed })],
    },
  }
}
