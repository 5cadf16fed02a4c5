// What the policies of an intent go by: the call of its agent, and of all whom that acts for.
import type { Asked } from '../policies.ts'
import { sceneOf } from '../scene/scene.ts'
import type { Context, View } from '../view.ts'
import { othersScenes } from './delegated-case.ts'

export function askedPolicies(
  view: View,
  context: Context,
  { ground, cardinality }: Pick<Asked, 'ground' | 'cardinality'>,
): Asked {
  const input = sceneOf(view, context, ground)
  return { ground, cardinality, input, others: othersScenes(view, context, ground) }
}
