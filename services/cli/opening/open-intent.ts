// The open intent that someone means, or why there is none: a verdict that has come ends it for
// ever.
import { Fault } from '#core/kernel/fault'
import { token } from '#core/kernel/names'
import type { OpenIntent } from '#core/state/intent'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { findIntent, pickIntent } from './intent-named.ts'

export async function openIntentNamed(runtime: Runtime, meant: string): Promise<OpenIntent> {
  const { follower, place, log } = runtime
  const { intents } = follower.state
  const found = pickIntent(meant, place, intents.keys())
  const intent = found === null ? undefined : intents.get(found)
  if (intent !== undefined) return intent
  const address = await findIntent(log, place, meant)
  const verdict = await factAbout(runtime, 'verdict', address)
  const why =
    verdict === undefined
      ? 'is a message that asks for nothing'
      : `is already decided, at position ${verdict.position}`
  throw new Fault('not_open', `\`${address}\` ${why}`)
}

/** The agent of an open intent in full, where the catalog has it. */
export function agentOf({ follower }: Runtime, { address }: OpenIntent): string {
  const [agent = ''] = address.split('.')
  return principalNamed(follower.state.catalog, agent) ?? agent
}

function principalNamed(
  catalog: Runtime['follower']['state']['catalog'],
  agent: string,
): string | undefined {
  return [...catalog.principals.keys()].find((id) => token(id) === agent)
}
