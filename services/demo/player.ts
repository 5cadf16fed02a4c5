// Plays recorded conversations against a runtime as they happened: calls are intents of the agent's
// own principal, results and customers' turns are evidence of theirs. A denied call has no result.
import { nameOf } from '#core/kernel/names'
import { connect, type Published, type SessionHandle } from '#services/client/connect'
import type { Warrant } from '#services/client/warrant'
import type { Verdict } from '#runtime/verdicts/verdict'
import type { Runtime } from '#runtime/engine/runtime'
import { agentOfSession, type Cast } from './cast.ts'
import type { DemoGateway } from './gateway/through.ts'
import type { Call, Conversation, Result } from './recording.ts'

export interface Played {
  readonly call: Call
  readonly verdict: Verdict
  /** Whether the customer was asked on the way. */
  readonly asked: boolean
}

const waitMs = 60_000

export interface AirlineStage {
  readonly runtime: Runtime
  readonly cast: Cast
  /** What carries the calls out; absent: no one does. */
  readonly gateway?: DemoGateway
  /** Whether a call belongs to the task's solution; only for counting. */
  readonly isRight: (call: Call) => boolean
}

interface Decided extends Published {
  readonly call: Call
  readonly verdict: Verdict
}

/** Plays one conversation to its end, or until the signal aborts. */
export async function play(
  stage: AirlineStage,
  { session, steps }: Conversation,
  onCall: (played: Played) => void,
  signal: AbortSignal,
): Promise<void> {
  const { runtime, cast } = stage
  const [agent, tools, desk] = await Promise.all([
    speaker(runtime, cast, agentOfSession(session), session),
    speaker(runtime, cast, 'airline-tools', session),
    speaker(runtime, cast, 'airline-desk', session),
  ])
  const answered = new Set(steps.map((step) => (step.kind === 'result' ? step.call : null)))
  const decided = new Map<number, Decided>()
  for (const step of steps) {
    if (signal.aborted) break
    if (step.kind === 'customer') await desk.turn(step.confirmed)
    else if (step.kind === 'result') {
      const of = decided.get(step.call)
      if (of === undefined) continue
      await carryOut(stage, of, step)
      // Its rules read the results themselves, so the airline's tools say them in either case.
      if (of.verdict.outcome === 'allow') await tools.result(step, of)
    } else {
      const { published, verdict, asked } = await agent.call(step)
      const of = { ...published, call: step, verdict }
      decided.set(step.step, of)
      onCall({ call: step, verdict, asked })
      if (!answered.has(step.step)) await carryOut(stage, of, null)
    }
  }
  await Promise.all([agent.leave(), tools.leave(), desk.leave()])
}

async function carryOut(
  { gateway, isRight }: AirlineStage,
  { call, verdict }: Decided,
  answer: Result | null,
): Promise<void> {
  const agent = agentOfSession(call.session)
  await gateway?.present({ agent, verdict, isRight: isRight(call), answer })
}

async function speaker(runtime: Runtime, cast: Cast, as: string, session: string) {
  const privateKey = cast.keys.get(as)
  const client = await connect({ as, runtime, ...(privateKey !== undefined && { privateKey }) })
  const handle = client.session(session)
  return {
    leave: () => client.close(),
    call: (call: Call) => ask(client, handle, call),
    result: (result: Result, answered: Decided) =>
      evidence({ client, handle, session }, result, answered),
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
  answered: Decided,
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
