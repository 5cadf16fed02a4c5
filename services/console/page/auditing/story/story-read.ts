// Reads all that the log has on one intent, with the catalogs by which its facts were read then,
// and puts it into words by the functions that do so everywhere.
import { noneSaid } from '#messages/people/people-said'
import { emptyCatalog, principalNamed, type Catalog } from '#rules/catalog/catalog'
import { hasStanding } from '#rules/catalog/work/work-settings'
import { readData } from '#record/event'
import { partsInRealm, realmOfCell } from '#record/names'
import { openingOf } from '#messages/opening'
import { catalogShown } from '#present/auditing/catalog-shown'
import { traceIn } from '#present/auditing/trace-id'
import { bytesSaying } from '#present/auditing/found-text'
import { whyShown, type WhyShown } from '#present/auditing/why-shown'
import { waitsRead } from '#present/story/waits'
import { storyOf, type Story } from '#present/story/story'
import type { Reported } from '#present/story/reported'
import { momentText } from '#schemas/console/positions'
import type { FactAnswer, IntentStory } from '#schemas/console/reading'
import type { GroundingData } from '#schemas/facts'
import { askServer } from '../../shell/requests.ts'
import { session } from '../../shell/session.ts'

export interface IntentSeen {
  readonly story: Story
  readonly answer: IntentStory
  /** Null while it is open. */
  readonly why: WhyShown | null
  /** The last one; null where there is none yet. */
  readonly grounding: GroundingData | null
  /** The moment of that. */
  readonly groundedAt: string | null
  readonly agent: string | null
  /** That agent, if its standing decides what it may do; else null. */
  readonly standsBy: string | null
  readonly tool: string | null
  /** Of the distributed trace that its message came with; null where it came with none. */
  readonly trace: string | null
}

interface CatalogAt {
  readonly revision: number
  readonly catalog: Catalog
}

async function catalogAt(fact: FactAnswer): Promise<CatalogAt> {
  const query = { at: momentText(fact) }
  const { revision, catalog: file } = await askServer('catalog', '/catalog', { query })
  return { revision, catalog: catalogShown(file) }
}

/** One for each fact; where the first and the last have the same, all between have it too. */
async function catalogsOf(facts: readonly FactAnswer[]): Promise<readonly Catalog[]> {
  const [first, last] = [facts[0], facts.at(-1)]
  if (first === undefined || last === undefined) return []
  const [begun, ended] = await Promise.all([catalogAt(first), catalogAt(last)])
  if (begun.revision === ended.revision) return facts.map(() => begun.catalog)
  const middle = Math.floor(facts.length / 2)
  if (facts.length < 3) return facts.map((_, index) => (index === 0 ? begun : ended).catalog)
  const [before, after] = [facts.slice(0, middle), facts.slice(middle)]
  return [...(await catalogsOf(before)), ...(await catalogsOf(after))]
}

export async function intentSeen(intent: string): Promise<IntentSeen> {
  const answer = await askServer('story', '/intents/{intent}', { in: { intent } })
  const { realm = '', log = null } = session.value ?? {}
  const { cell } = answer
  const catalogs = await catalogsOf(answer.facts)
  const reported = answer.facts.flatMap((fact, index): readonly Reported[] => {
    const parts = partsInRealm(
      fact.name,
      cell === undefined ? realm : realmOfCell({ of: realm, index: cell }),
    )
    if (parts === null) return []
    const { position, name } = fact
    return [
      {
        position,
        name,
        parts,
        log,
        appendedAt: Date.parse(fact.appendedAt),
        bytes: bytesSaying(fact.fact),
        void: fact.void ?? null,
        catalog: catalogs[index] ?? emptyCatalog,
        people: noneSaid,
      },
    ]
  })
  const story = storyOf(intent, reported, answer.waits && waitsRead(answer.waits))
  return { story, answer, ...knownOf(reported, cell) }
}

function knownOf(
  reported: readonly Reported[],
  cell: number | undefined,
): Omit<IntentSeen, 'story' | 'answer'> {
  const message = reported.find(({ parts }) => parts.kind === 'vlp')
  const opening = message === undefined ? null : openingOf(message, message.catalog)
  const last = reported.at(-1)?.catalog ?? emptyCatalog
  const agent = opening?.ref.agent ?? null
  const principal = agent === null ? undefined : principalNamed(last, agent)
  const counting = reported.filter((fact) => fact.void === null)
  const grounded = counting.findLast(({ parts }) => parts.kind === 'grounding')
  const decided = counting.find(({ parts }) => parts.kind === 'verdict')
  const grounding = grounded === undefined ? null : readData('grounding', grounded)
  const verdict = decided === undefined ? null : readData('verdict', decided)
  const args = opening?.request?.args ?? null
  const why =
    verdict === null || decided === undefined
      ? null
      : whyShown({ verdict, args, grounding, catalog: decided.catalog })
  return {
    why,
    grounding,
    groundedAt: grounded === undefined ? null : momentText({ position: grounded.position, cell }),
    agent,
    standsBy: principal !== undefined && hasStanding(last, principal.id) ? principal.id : null,
    tool: opening?.request?.tool ?? null,
    trace: traceIn(opening?.check.message ?? null),
  }
}
