// Reads all that the log has on one intent, and by the catalog of then why it came out so.
import { principalNamed, type Catalog } from '#rules/catalog/catalog'
import { hasStanding } from '#rules/catalog/work-settings'
import { readData } from '#record/event'
import { partsInRealm, realmNamed } from '#record/names'
import { openingOf } from '#messages/opening'
import { catalogShown } from '#present/auditing/catalog-shown'
import { traceIn } from '#present/auditing/trace-id'
import { bytesSaying } from '#present/auditing/found-text'
import { whyShown, type WhyShown } from '#present/auditing/why-shown'
import { momentText } from '#schemas/console/positions'
import type { TraceShown, TraceStep } from '#schemas/operations/traces'
import type { GroundingData } from '#schemas/facts'
import { askServer } from '../../shell/requests.ts'
import { session } from '../../shell/session.ts'

export interface IntentSeen {
  readonly answer: TraceShown
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

export async function intentSeen(intent: string): Promise<IntentSeen> {
  const query = { content: 'true' }
  const answer = await askServer('trace', '/traces/{intent}', { in: { intent }, query })
  const { cell, steps } = answer
  const { realm = '' } = session.value ?? {}
  const kindOf = ({ name }: TraceStep) => partsInRealm(name, realmNamed(name, realm))?.kind
  const counting = steps.filter((step) => step.void === null)
  const message = steps.find((step) => kindOf(step) === 'vlp')
  const grounded = counting.findLast((step) => kindOf(step) === 'grounding')
  const decided = counting.find((step) => kindOf(step) === 'verdict')
  const catalogAt = async (step: TraceStep | undefined): Promise<Catalog> => {
    const at = step === undefined ? {} : { at: momentText({ position: step.position, cell }) }
    return catalogShown((await askServer('catalog', '/catalog', { query: at })).catalog)
  }
  const [before, then] = await Promise.all([catalogAt(message), catalogAt(decided ?? steps.at(-1))])
  const opening = message === undefined ? null : openingOf(factOf(message), before)
  const agent = opening?.ref.agent ?? null
  const principal = agent === null ? undefined : principalNamed(then, agent)
  const grounding = grounded === undefined ? null : readData('grounding', factOf(grounded))
  const verdict = decided === undefined ? null : readData('verdict', factOf(decided))
  const args = opening?.request?.args ?? null
  return {
    answer,
    why: verdict === null ? null : whyShown({ verdict, args, grounding, catalog: then }),
    grounding,
    groundedAt: grounded === undefined ? null : momentText({ position: grounded.position, cell }),
    agent,
    standsBy: principal !== undefined && hasStanding(then, principal.id) ? principal.id : null,
    tool: opening?.request?.tool ?? null,
    trace: traceIn(opening?.check.message ?? null),
  }
}

function factOf({ position, name, appendedAt, fact }: TraceStep) {
  return { position, name, appendedAt: Date.parse(appendedAt), bytes: bytesSaying(fact) }
}
