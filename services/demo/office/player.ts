// Plays recorded office sessions against a runtime: calls are intents of the session's own agent,
// what the user asked for and what tools answered is evidence of theirs. A call that was denied or
// declined has no result; what the agent then did is played all the same.
import { agentIn, nameOf, token } from '#core/kernel/names'
import { connect, type Published, type SessionHandle } from '#services/client/connect'
import type { Warrant } from '#services/client/warrant'
import type { Verdict } from '#runtime/verdicts/verdict'
import type { Runtime } from '#runtime/engine/runtime'
import type { DemoGateway } from '../gateway/through.ts'
import { callKey } from '../recording.ts'
import { officeAgentOf, officeTools, officeUser, type OfficeKeys } from './cast.ts'
import type { OfficeCall, OfficeRecording, OfficeResult, OfficeSession } from './recording.ts'

export interface OfficePlayed {
  readonly call: OfficeCall
  readonly verdict: Verdict
  /** Whether the user was asked on the way. */
  readonly asked: boolean
}

/** The user of all sessions, who knows what was asked for. */
export interface ScriptedUser {
  /** Says whether the next call of that agent is the user's own wish. */
  expects(agent: string, isWanted: boolean): void
  stop(): void
}

const waitMs = 60_000

/** Answers every review: yes to what the user asked for, no to all else. */
export function scriptedUser(client: Warrant, keys: OfficeKeys): ScriptedUser {
  const { runtime } = client
  const wanted = new Map<string, boolean>()
  const privateKey = keys.get(officeUser) ?? ''
  const stop = runtime.follower.listen((fact, { parts }) => {
    if (parts?.kind !== 'review' || parts.address === null) return
    const answers = wanted.get(agentIn(parts.address)) === true
    const answer = { intent: parts.address, confirmer: officeUser, privateKey, answers }
    client.decide(answer).catch((error: unknown) => {
      runtime.logger.error({ review: fact.name, error }, 'user could not answer')
    })
  })
  return { expects: (agent, isWanted) => wanted.set(token(agent), isWanted), stop }
}

export interface OfficeStage {
  readonly runtime: Runtime
  readonly keys: OfficeKeys
  readonly user: ScriptedUser
  readonly labels: OfficeRecording['labels']
  /** What carries the calls out, and says what came of them as digests; absent: no one does. */
  readonly gateway?: DemoGateway
}

interface OfficeDecided extends Published {
  readonly call: OfficeCall
  readonly verdict: Verdict
}

/** Plays one session to its end, or until the signal aborts. */
export async function playOffice(
  stage: OfficeStage,
  { session, steps }: OfficeSession,
  onCall: (played: OfficePlayed) => void,
  signal: AbortSignal,
): Promise<void> {
  const agentId = officeAgentOf(session)
  const [agent, tools, user] = await Promise.all([
    speaker(stage, agentId, session),
    speaker(stage, officeTools, session),
    speaker(stage, officeUser, session),
  ])
  const answered = new Set(steps.map((step) => (step.kind === 'result' ? step.call : null)))
  const decided = new Map<number, OfficeDecided>()
  for (const step of steps) {
    if (signal.aborted) break
    if (step.kind === 'user') await say(user, { type: 'notice', content: step.text })
    else if (step.kind === 'result') {
      const of = decided.get(step.call)
      if (of === undefined) continue
      if (stage.gateway !== undefined) await carryOut(stage, of, step)
      else if (of.verdict.outcome === 'allow') await say(tools, resultOf(step, of))
    } else {
      stage.user.expects(agentId, stage.labels.get(callKey(session, step.step))?.gold === true)
      const { published, verdict, asked } = await ask(agent, step)
      const of = { ...published, call: step, verdict }
      decided.set(step.step, of)
      onCall({ call: step, verdict, asked })
      if (!answered.has(step.step)) await carryOut(stage, of, null)
    }
  }
  await Promise.all([agent.client.close(), tools.client.close(), user.client.close()])
}

async function carryOut(
  { gateway, labels }: OfficeStage,
  { call, verdict }: OfficeDecided,
  answer: OfficeResult | null,
): Promise<void> {
  const label = labels.get(callKey(call.session, call.step))
  const isRight = label?.changes === true && label.gold
  await gateway?.present({ agent: officeAgentOf(call.session), verdict, isRight, answer })
}

interface OfficeSpeaker {
  readonly client: Warrant
  readonly handle: SessionHandle
  /** Whom it speaks to. */
  readonly receiver: string
}

async function speaker(
  { runtime, keys }: OfficeStage,
  as: string,
  session: string,
): Promise<OfficeSpeaker> {
  const privateKey = keys.get(as)
  const client = await connect({ as, runtime, ...(privateKey !== undefined && { privateKey }) })
  return { client, handle: client.session(session), receiver: officeAgentOf(session) }
}

type Fields = Parameters<Warrant['publish']>[0]

function say({ client, handle, receiver }: OfficeSpeaker, fields: Fields): Promise<Published> {
  return client.publish({ confidence: 0.8, receiver, ...fields }, handle)
}

function resultOf(
  { tool, error, value, untrusted }: OfficeResult,
  { name, call }: OfficeDecided,
): Fields {
  const { args } = call
  return {
    type: 'evidence',
    content: `${tool} answered`,
    provenance: [{ ref: name, kind: 'log' }],
    refers_to: name,
    payload: { tool, args, error, value, ...(untrusted !== undefined && { untrusted }) },
  }
}

async function ask({ client, handle }: OfficeSpeaker, { tool, args }: OfficeCall) {
  const intent = { tool, args, justification: 'the user of this session asked for it' }
  const fields = { type: 'query', content: `use ${tool}`, payload: { intent } }
  const published = await client.publish(fields, handle)
  const verdict = await client.verdict(published.address, waitMs)
  const { log, place } = client.runtime
  const asked = (await log.get(nameOf(place, 'review', published.address, 1))) !== undefined
  return { published, verdict, asked }
}
