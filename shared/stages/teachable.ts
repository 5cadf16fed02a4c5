// What an intent waits for while it is held: what is missing by now, and whether someone is asked
// for it. Policy holds only what can still be added, and learning gives back what cannot.
import type { Query, Template } from '#schemas/learning'
import { queryIn } from '#messages/learning/source'
import { gapsFor, templatesFor } from '#messages/learning/template'
import { shareIn } from '#state/slices/learning/proposals'
import { standingOf, type Standing } from '#messages/learning/standing'
import { canonical, jsonOf } from '#record/canonical'
import { unreachable } from '#record/fault'
import type { Context, View } from './view.ts'

/** What the grounding of the intent asked of the graph; null where it asked nothing. */
export function queryOf({ grounding }: Pick<Context, 'grounding'>): Query | null {
  const ground = grounding?.ground ?? null
  return ground === null ? null : queryIn(ground)
}

export interface Unaskable {
  readonly template: Template
  readonly standing: Extract<Standing, 'skipped' | 'rejected' | 'expired' | 'full'>
}

/** What is missing that no one will be asked for, and why not; null where all of it is. */
export function unaskable(view: View, context: Context): Unaskable | null {
  const query = queryOf(context)
  if (query === null) return null
  const { graph, now, learning, catalog, intent } = view
  const since = intent.position
  const from = intent.grounding?.position ?? since
  const by = shareIn(catalog, view.ref.agent)
  for (const template of templatesFor(graph, query)) {
    const standing = standingOf(learning, template, { by, since, from, graph, now })
    switch (standing) {
      case 'skipped':
      case 'rejected':
      case 'expired':
      case 'full':
        return { template, standing }
      case 'askable':
      case 'open':
      case 'applied':
        continue
      default:
        return unreachable(standing)
    }
  }
  return null
}

/** Whether the graph answers otherwise than the grounding did. */
export function hasMoved(view: View, context: Context): boolean {
  const ground = context.grounding?.ground ?? null
  const query = queryOf(context)
  if (ground === null || query === null) return false
  const gaps = gapsFor(view.graph, query)
  const isAsLong = gaps.length === ground.gaps.length + (ground.gapsOmitted ?? 0)
  const seen = gaps.slice(0, ground.gaps.length)
  return !isAsLong || canonical(jsonOf(seen)) !== canonical(jsonOf(ground.gaps))
}
