// On whose behalf an agent acts: everyone who asked something in its session before it acted, cited
// or not, since the agent writes its own citations. Outside of a session only what is cited is
// known.
import type { Context, View } from './view.ts'

/** Everyone who may have asked, the agent itself left out. */
export function delegatorsOf(view: View, context: Context): readonly string[] {
  const { agent } = view.ref
  const delegators = new Set<string>()
  for (const { sender, position, check } of [...context.session, ...context.referred]) {
    if (position >= view.opening.position || check.message?.type !== 'query') continue
    if (sender !== agent) delegators.add(sender)
  }
  return [...delegators]
}
