// What a hook says that asks for nothing: that a call has run, and what the user has written. Both
// are the host's word.
import type { HookEvent } from '#shell/hooks/hook-event'
import { Pending } from '../pending.ts'
import {
  addressOfCall,
  placedCall,
  hookSession,
  settledCall,
  type HookedDoor,
} from './hook-placed.ts'
import { questionsOn } from './hook-questions.ts'

export async function recordDone(
  door: HookedDoor,
  done: Extract<HookEvent, { is: 'done' }>,
): Promise<void> {
  const { agent, before, host } = door
  const { place } = await placedCall(door, done)
  const intent = before.intentOf(place, done.callId) ?? addressOfCall(door, done)
  if (intent === null || (await agent.requested(intent)) === null) return
  const wait = { waitMs: 0, onReview: () => false }
  const found = await settledCall(agent.verdict(intent, wait))
  if (!(found instanceof Pending) && found.outcome === 'allow') {
    await agent.end(intent, { outcome: done.failed ? 'failed' : 'succeeded' })
    return
  }
  const isRelayed = found instanceof Pending && (await questionsOn(door, intent)).inHost
  const said = isRelayed ? 'host_allowed' : 'ran_without_allow'
  await agent.say(
    { hook: said, relayedBy: host.name, intent, tool: done.tool },
    { session: agent.session(hookSession(door, done)), receiver: door.principal },
  )
  if (!isRelayed) return
  before.forget(place)
  await agent.withdraw(intent, `answered in the dialogue of ${host.name}, which has run it`)
}

const promptMax = 60_000

/** The host's word for what its user has written: evidence only where the catalog trusts it. */
export async function recordPrompt(
  door: HookedDoor,
  { prompt, session, cwd }: Extract<HookEvent, { is: 'prompt' }>,
): Promise<void> {
  // The first event of a session shows where its project is.
  await door.before.folderOf(door.principal, hookSession(door, { session }), cwd)
  if (prompt === '') return
  const { agent, host, principal } = door
  const to = { session: agent.session(session ?? host.name), receiver: principal }
  await agent.say(prompt.slice(0, promptMax), to)
}
