// What is known of what a verdict is about, and of concepts that someone asks about. It takes a log
// that can be read.
import { ground, type GroundingAnswer } from '#knowledge/grounding/ground'
import { readData } from '#record/event'
import { groundingText, knownText } from '#present/grounding'
import type { Runtime } from '#runtime/engine/runtime'
import type { Level } from '#schemas/graph'
import type { Verdict } from '#replay/verdicts/verdict'

/** As it was found for this verdict: at release, where people had to agree. */
export async function knownTo(
  { log, follower }: Pick<Runtime, 'log' | 'follower'>,
  { name }: Pick<Verdict, 'name'>,
): Promise<string | null> {
  const data = readData('verdict', await log.get(name))
  if (data === null) return null
  const { release, grounding } = data
  const found = grounding === null ? undefined : await log.get(grounding)
  const then = release === null ? readData('grounding', found)?.ground : release.ground
  return knownText(follower.state.graph, then ?? null)
}

const restHere = '`gaps` and `pathway` have all of it'

/** Whether concepts are known in the graph of now, and what is known of them. */
export function checkKnown(
  { follower }: Pick<Runtime, 'follower'>,
  concepts: readonly string[],
  { minDepth }: { readonly minDepth?: Level },
): KnowledgeCheck {
  const { graph } = follower.state
  const depth = minDepth === undefined ? {} : { minDepth }
  const answer = ground(graph, { concepts, profile: 'strict', ...depth })
  const { grounded, resolved, gaps, pathway } = answer
  return { grounded, resolved, gaps, pathway, text: groundingText(graph, answer, restHere) }
}

export interface KnowledgeCheck extends Pick<
  GroundingAnswer,
  'grounded' | 'resolved' | 'gaps' | 'pathway'
> {
  /** The same for a prompt, with what is written of each concept. */
  readonly text: string
}
