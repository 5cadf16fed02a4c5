// Runs one test case by the stages' own deciders, and reads from the facts that follow what it came
// to.
import { z } from 'zod'
import type { Catalog } from '#rules/catalog/catalog'
import { catalogFromFile, catalogToFile } from '#rules/catalog/catalog-file'
import { graphFromFile, graphToFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { caseFold } from '#record/case-fold'
import { Fault } from '#record/fault'
import type { Stage } from '#stages/stage'
import type { CallbackRunner } from '#ports/callbacks'
import { asking, cameTo, type CameTo } from '#replay/what-if/came-to'
import { tryOut, type TrialMessage } from '#replay/what-if/trial'
import { Collection } from '#schemas/catalog'
import { earlierAnswers } from './earlier-answers.ts'
import type { AskedEarlier, Said, TestCase } from './case-format.ts'

/** What all cases are judged by. */
export interface CaseBase {
  readonly catalog: Catalog
  readonly graph: Graph
  readonly callbacks: CallbackRunner
  /** The digest of their module; null where there is none. */
  readonly module: string | null
  readonly stages: readonly Stage[]
  /** When a case is asked that does not say it. */
  readonly now: number
}

/** And who asked. */
export interface CaseCameTo extends CameTo {
  readonly agent: string
}

/** Of the messages before it: evidence is of a session. */
const sessionDefault = 'S-2026-01-01-test-000000'

export async function tryCase(of: TestCase, base: CaseBase): Promise<CaseCameTo> {
  const { given, request, now } = of
  // As `ask`, a guard and HTTP ask where no one gives a session.
  const { session = given.evidence.length > 0 ? sessionDefault : null } = of
  const at = now === undefined ? base.now : Date.parse(now)
  const catalog = givenCatalog(base.catalog, of, base.module)
  const agent = agentOf(of, catalog)
  const facts = await tryOut({
    catalog,
    graph: givenGraph(base.graph, of),
    stages: base.stages,
    callbacks: withAnswers(base.callbacks, of),
    session,
    before: [
      ...given.evidence.map((said) => saidBefore(said, agent, at)),
      ...given.before.flatMap((earlier) => askedBefore(earlier, agent, at)),
    ].toSorted((one, other) => one.at - other.at),
    request: { fields: asking(agent, request), at },
  }).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.code !== 'cases_invalid') throw error
    throw new Fault('cases_invalid', `\`${of.name}\`: given.before: ${error.message}`)
  })
  return { ...cameTo(facts), agent }
}

/** Who asks: the one agent that the catalog has, unless the case names another. */
function agentOf({ agent, name }: TestCase, { principals }: Catalog): string {
  if (agent !== undefined) return agent
  const owned = [...principals.values()].filter(({ owner }) => owner !== undefined)
  const [only] = owned
  if (owned.length === 1 && only !== undefined) return only.id
  throw new Fault('cases_invalid', `\`${name}\`: name the \`agent\`: the catalog has not just one`)
}

function saidBefore(said: Said, agent: string, now: number): TrialMessage {
  const { from, to = agent, type, content, payload, confidence, provenance, ago } = said
  const fields = {
    type,
    sender: from,
    receiver: to,
    content,
    confidence,
    // What is evidence says where it comes from.
    ...(type === 'evidence' && { provenance: provenance ?? [from], refers_to: 'request' }),
    ...(type !== 'evidence' && provenance !== undefined && { provenance }),
    ...(payload !== undefined && { payload }),
  }
  return { fields, at: now - msOf(ago) }
}

function askedBefore(earlier: AskedEarlier, agent: string, now: number): readonly TrialMessage[] {
  const { ago, times, agent: by = agent, session, answered, ...intent } = earlier
  const one = {
    fields: asking(by, intent),
    at: now - msOf(ago),
    session,
    answering: answered === undefined ? undefined : earlierAnswers(answered),
  }
  return Array.from({ length: times }, () => one)
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function msOf(ago: string): number {
  return Number(ago.slice(0, -1)) * (units[ago.slice(-1)] ?? 0)
}

function givenCatalog(catalog: Catalog, { given, name }: TestCase, module: string | null): Catalog {
  const pinned = { ...catalog, callbacks: module }
  if (given.catalog === undefined) return pinned
  const file: Record<string, unknown> = { ...catalogToFile(catalog), ...given.catalog }
  for (const collection of Collection.options) {
    const entries = new Map<string, object>(catalog[collection])
    for (const entry of Entries.parse(given.catalog[collection])) {
      entries.set(entry.id, { ...entries.get(entry.id), ...entry })
    }
    file[collection] = [...entries.values()]
  }
  const { catalog: after, refused } = catalogFromFile(file)
  if (refused === undefined) return { ...after, callbacks: module }
  const { at, message } = refused
  throw new Fault('cases_invalid', `\`${name}\`: given.catalog at ${at}: ${message}`)
}

const Entries = z.array(z.looseObject({ id: z.string() })).catch([])

function givenGraph(graph: Graph, { given, name }: TestCase): Graph {
  if (given.graph === undefined) return graph
  const primitives = new Map(
    graphToFile(graph).primitives.map((one) => [caseFold(one.name), one] as const),
  )
  for (const one of given.graph.primitives) primitives.set(caseFold(one.name), one)
  try {
    return graphFromFile({ primitives: [...primitives.values()] })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault('cases_invalid', `\`${name}\`: given.graph: ${error.message}`, { cause: error })
  }
}

/** Where a case says what a callback answers, it does; else the module. */
function withAnswers(runner: CallbackRunner, { given }: TestCase): CallbackRunner {
  const answers = new Map(Object.entries(given.callbacks))
  return {
    run: (call) => {
      const answer = answers.get(call.name)
      return answer === undefined ? runner.run(call) : Promise.resolve({ answer, recorded: false })
    },
  }
}
