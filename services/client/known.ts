// What is known of what a verdict is about, as text, where the log can be read.
import { readData } from '#core/kernel/event'
import { knownText } from '#present/grounding'
import type { Runtime } from '#runtime/engine/runtime'
import type { Verdict } from './verdict.ts'

/** As it was found for this verdict: at release, where people had to agree. */
export async function knownTo(
  { log, follower }: Pick<Runtime, 'log' | 'follower'>,
  { name }: Pick<Verdict, 'name'>,
): Promise<string | null> {
  const data = readData('verdict', await log.get(name))
  if (data === null) return null
  const { release, grounding } = data
  const found = grounding === null ? undefined : await log.get(grounding)
  const ground = release === null ? readData('grounding', found)?.ground : release.ground
  return knownText(follower.state.graph, ground ?? null)
}
