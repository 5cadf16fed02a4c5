// Plays recorded conversations against a runtime as they happened: calls are intents of the agent's
// own principal, results and customers' turns are evidence of theirs. A denied call has no result.
import { nameOf } from '#core/kernel/names'
import { connect, type Published, type SessionHandle } from '#services/client/connect'
import type { Warrant } from '#services/client/warrant'
import type { Verdict } from '#runtime/verdicts/verdict'
import type { Runtime } from '#runtime/engine/runtime'
import { agentOfSession, type Cast } from './cast.ts'
import type { Call, Conversation, Result } from './recording.ts'

export interface Played {
  readonly call: Call
  readonly verdict: Verdict
  /** Whether the customer was asked on the way. */
  readonly asked: boolean
}

const waitMs = 60_000

/** Plays one conversation to its end, or until the signal aborts. */
export async function play(
  runtime: Runtime,
  cast: Cast,
  conversation: Conversation,
  onCall: (played: Played) => void,
  signal: AbortSignal,
): Promise<void> {
  const { session } = conversation
  const [agent, tools, desk] = await Promise.all([
    speaker(runtime, cast, agentOfSession(session), session),
    speaker(runtime, cast, 'airline-tools', session),
    speaker(runtime, cast, 'airline-desk', session),
  ])
  const allowed = new Map<number, Published & { readonly call: Call }>()
  for (const step of conversation.steps) {
    if (signal.aborted) break
    if (step.kind === 'customer') await desk.turn(step.confirmed)
    else if (step.kind === 'result') await tools.result(step, allowed.get(step.call))
    else {
      const { published, verdict, asked } = await agent.call(step)
      if (verdict.outcome === 'allow') allowed.set(step.step, { ...published, call: step })
      onCall({ call: step, verdict, asked })
    }
  }
  await Promise.all([agent.leave(), tools.leave(), desk.leave()])
}

async function speaker(runtime: Runtime, cast: Cast, as: string, session: string) {
  const privateKey = cast.keys.get(as)
  const client = await connect({ as, runtime, ...(privateKey !== undefined && { privateKey }) })
  const handle = client.session(session)
  return {
    leave: () => client.close(),
    call: (call: Call) => ask(client, handle, call),
    result: (result: Result, answered: (Published & { readonly call: Call }) | undefined) =>
      answered === undefined ? null : evidence({ client, handle, session }, result, answered),
    turn: (confirmed: boolean) =>
      client.publish(
        {
          type: 'notice',
          content: 'the customer spoke',
          confidence: 0.8,
          receiver: agentOfSession(session),
          payload: { confirmed, kind: 'customer' },
        },
        handle,
      ),
  }
}

async function ask(client: Warrant, handle: SessionHandle, call: Call) {
  const intent = {
    args: call.args,
    justification: 'the customer of this conversation wants it',
    tool: call.tool,
  }
  const fields = { type: 'query', content: `use ${call.tool}`, payload: { intent } }
  const published = await client.publish(fields, handle)
  const verdict = await client.verdict(published.address, waitMs)
  const { log, place } = client.runtime
  const asked = (await log.get(nameOf(place, 'review', published.address, 1))) !== undefined
  return { published, verdict, asked }
}

function evidence(
  {
    client,
    handle,
    session,
  }: { readonly client: Warrant; readonly handle: SessionHandle; readonly session: string },
  result: Result,
  answered: Published & { readonly call: Call },
): Promise<Published> {
  const { tool, error, value } = result
  return client.publish(
    {
      type: 'evidence',
      content: `${tool} answered`,
      confidence: 0.8,
      provenance: [{ ref: answered.name, kind: 'log' }],
      receiver: agentOfSession(session),
      refers_to: answered.name,
      payload: { args: answered.call.args, error, tool, value },
    },
    handle,
  )
}
