// What a fact of the log gives rise to asking: a grounding with gaps, a call that failed, or a
// person who has an old question asked again.
import { readEvent } from '#record/event'
import {
  sourceOfFailure,
  sourceOfGrounding,
  sourceOfReopening,
  type Source,
} from '#messages/learning/source'
import { nameOf, partsInRealm, type NameParts, type Place } from '#record/names'
import type { Fact, LogReader } from '#ports/log'

/** Null where that is nothing. */
export async function sourceNamed(
  log: Pick<LogReader, 'get'>,
  { realm }: Pick<Place, 'realm'>,
  name: string,
): Promise<Source | null> {
  const parts = partsInRealm(name, realm)
  const fact = parts === null ? undefined : await log.get(name)
  if (parts === null || fact === undefined) return null
  switch (parts.kind) {
    case 'grounding':
      return ofGrounding(fact)
    case 'outcome':
    case 'ownoutcome':
      return ofFailure(log, fact, parts)
    case 'reopening':
      return ofReopening(log, fact)
    default:
      return null
  }
}

function ofGrounding({ name, position, bytes }: Fact): Source | null {
  const reading = readEvent('grounding', { name, bytes })
  return reading.ok ? sourceOfGrounding({ name, position, data: reading.event.data }) : null
}

async function ofFailure(
  log: Pick<LogReader, 'get'>,
  fact: Fact,
  { kind, place, address }: NameParts,
): Promise<Source | null> {
  const outcome = readEvent(kind === 'outcome' ? kind : 'ownoutcome', fact)
  const verdict = await log.get(nameOf(place, 'verdict', address ?? ''))
  const judged = verdict === undefined ? null : readEvent('verdict', verdict)
  const grounding = judged?.ok === true ? judged.event.data.grounding : null
  const ground = grounding === null ? undefined : await log.get(grounding)
  const found = ground === undefined ? null : readEvent('grounding', ground)
  if (!outcome.ok || ground === undefined || found?.ok !== true) return null
  const { name, position } = fact
  return sourceOfFailure(
    { name, position, data: outcome.event.data },
    { name: ground.name, position: ground.position, data: found.event.data },
  )
}

async function ofReopening(
  log: Pick<LogReader, 'get'>,
  { name, position, bytes }: Fact,
): Promise<Source | null> {
  const reading = readEvent('reopening', { name, bytes })
  const asked = reading.ok ? await log.get(reading.event.data.proposal) : undefined
  const proposal = asked === undefined ? null : readEvent('proposal', asked)
  if (asked === undefined || proposal?.ok !== true) return null
  const { event } = proposal
  return sourceOfReopening(
    { name, position },
    { name: asked.name, position: asked.position, data: event.data },
  )
}
