// Plays recorded sessions as they happened: calls are intents of the session's own agent, what
// people said and what tools answered is evidence of theirs. A call that was denied or declined has
// no result, nor has one that carries it out; what the agent then did is played all the same.
import type { SaidTo, Verdict, Warrant } from '#client/connect'
import { askIn, type AnswersReview, type DecidedCall, type OpensClient } from './asking.ts'
import { agentOfSession } from './members.ts'
import type { Call, RecordedSession, Result } from './recorded.ts'

export interface Played {
  readonly call: Call
  readonly verdict: Verdict
  /** Whether people were asked on the way. */
  readonly asked: boolean
}

export interface SessionStage {
  readonly open: OpensClient
  /** Who says what tools answered, and what people said. */
  readonly tools: string
  readonly person: string
  /** Why an agent calls anything. */
  readonly justification: string
  /** What those do who are asked about the call. */
  readonly answer: (call: Call) => AnswersReview
  /** Carries the call out, with the recorded answer if there is one; null: no one does. */
  readonly carryOut: CarryOut | null
  /** Whether the tools speak for themselves: else what carries calls out does. */
  readonly toolsSpeak: boolean
  readonly onCall: (played: Played) => void
}

export type CarryOut = (call: Call, verdict: Verdict, answer: Result | null) => Promise<void>

interface PlayedStep extends DecidedCall {
  readonly call: Call
}

interface Speaker {
  readonly client: Warrant
  /** The session, and its agent. */
  readonly to: SaidTo
}

/** Plays one session to its end, or until the signal aborts. */
export async function play(
  stage: SessionStage,
  { session, steps }: RecordedSession,
  signal: AbortSignal,
): Promise<void> {
  const receiver = agentOfSession(session)
  const speaker = async (as: string): Promise<Speaker> => {
    const client = await stage.open(as)
    return { client, to: { session: client.session(session), receiver } }
  }
  const [agent, tools, person] = await Promise.all([
    speaker(receiver),
    speaker(stage.tools),
    speaker(stage.person),
  ])
  const answered = new Set(steps.map((step) => (step.kind === 'result' ? step.call : null)))
  const decided = new Map<number, PlayedStep>()
  for (const step of steps) {
    if (signal.aborted) break
    if (step.kind === 'call') {
      const { tool, args } = step
      const intent = { tool, args, justification: stage.justification }
      const asking = { client: agent.client, session: agent.to.session }
      const of = { call: step, ...(await askIn(asking, intent, stage.answer(step))) }
      decided.set(step.step, of)
      stage.onCall({ call: step, verdict: of.verdict, asked: of.asked > 0 })
      if (!answered.has(step.step)) await stage.carryOut?.(step, of.verdict, null)
    } else if (step.kind === 'result') {
      const of = decided.get(step.call)
      if (of === undefined) continue
      await stage.carryOut?.(of.call, of.verdict, step)
      if (stage.toolsSpeak && isAnswered(step, decided)) await answers(tools, step, of)
    } else if (step.kind === 'customer') await turns(person, step.confirmed)
    else await person.client.say(step.text, person.to)
  }
  await Promise.all([agent, tools, person].map(({ client }) => client.close()))
}

function isAnswered({ call, needs }: Result, decided: ReadonlyMap<number, PlayedStep>): boolean {
  const isAllowed = (step: number): boolean => decided.get(step)?.verdict.outcome === 'allow'
  return isAllowed(call) && (needs === undefined || isAllowed(needs))
}

function answers(tools: Speaker, step: Result, { name, call }: PlayedStep): Promise<unknown> {
  const { tool, error, value, untrusted } = step
  const pointers = untrusted === undefined ? {} : { untrusted }
  return tools.client.toolResult(
    { tool, args: call.args, error, value, ...pointers, answers: name },
    tools.to,
  )
}

function turns({ client, to }: Speaker, confirmed: boolean): Promise<unknown> {
  const { session, receiver } = to
  return client.publish(
    {
      type: 'notice',
      content: 'the customer spoke',
      confidence: 0.8,
      receiver,
      payload: { confirmed, kind: 'customer' },
    },
    session,
  )
}
