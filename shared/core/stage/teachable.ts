// What an intent waits for while it is held: what is missing by now, and whether somebody is asked
// for it. Policy holds only what can still be taught, and learning gives back what can not.
import type { Asked, Template } from '#schemas/learning'
import { askedIn } from '../learning/source.ts'
import { gapsFor, templatesFor } from '../learning/template.ts'
import { standingOf, type Standing } from '../learning/state.ts'
import { canonical, jsonOf } from '../canonical.ts'
import { agentIn } from '../names.ts'
import type { View } from './view.ts'

/** What the grounding of the intent asked of the graph; null where it asked nothing. */
export function askedOf({ intent }: Pick<View, 'intent'>): Asked | null {
  const ground = intent.grounding?.data.ground ?? null
  return ground === null ? null : askedIn(ground)
}

export interface Unaskable {
  readonly template: Template
  readonly standing: Extract<Standing, 'skipped' | 'rejected' | 'full'>
}

/** What is missing that nobody will be asked for, and why not; null where all of it is. */
export function unaskable(view: View): Unaskable | null {
  const asked = askedOf(view)
  if (asked === null) return null
  const agent = agentIn(view.intent.address)
  const { graph, now, learning } = view
  for (const template of templatesFor(graph, asked)) {
    const standing = standingOf(learning, template, {
      agent,
      since: view.intent.position,
      graph,
      now,
    })
    if (standing === 'skipped' || standing === 'rejected' || standing === 'full') {
      return { template, standing }
    }
  }
  return null
}

/** Whether the graph answers otherwise than the grounding did. */
export function hasMoved(view: View): boolean {
  const ground = view.intent.grounding?.data.ground ?? null
  const asked = askedOf(view)
  if (ground === null || asked === null) return false
  const gaps = gapsFor(view.graph, asked)
  const isAsLong = gaps.length === ground.gaps.length + (ground.gapsOmitted ?? 0)
  const seen = gaps.slice(0, ground.gaps.length)
  return !isAsLong || canonical(jsonOf(seen)) !== canonical(jsonOf(ground.gaps))
}
