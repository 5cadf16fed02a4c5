// One call of a coding agent at a door: whose it is, which project it belongs to, what it is asked
// about as, and what makes two calls the same.
import { callToken, sessionOfCall } from '#shell/hooks/call-token'
import type { AskedCall } from '#shell/hooks/hook-input'
import type { HookCall, HookEvent } from '#shell/hooks/hook-event'
import type { Host } from '#shell/hooks/hosts/host'
import { digestOfJson } from '#record/digest'
import { addressOf } from '#record/names'
import { jsonOf } from '#record/canonical'
import { declaredIn, type HookJudge } from '#judging/judging'
import type { KeptContents } from '#judging/kept-contents'
import type { Runtime } from '#runtime/engine/runtime'
import type { Verdict } from '#replay/verdicts/verdict'
import { Pending } from '../pending.ts'
import type { DoorAgent } from './door-agent.ts'
import type { HookedCall, HookMemory } from './hook-memory.ts'

/** In whose name a hook asks, and through what. */
export interface HookSpeaker {
  readonly principal: string
  readonly agent: DoorAgent
  /** Whether the verdict is only recorded: the host is answered nothing, and soon. */
  readonly observes?: boolean
  /** The folder of the project, by what the hook was installed with. */
  readonly root?: string | null
  /** What a call is named by whose host names none; not said, it is found by nothing again. */
  readonly nonce?: string
}

export interface HookDoorOf {
  readonly runtime: Runtime
  readonly judge: HookJudge
  /** Where a person finds the intent; null where there is no such place. */
  readonly linkOf: (intent: string) => string | null
}

export interface HookedDoor extends HookDoorOf, HookSpeaker {
  readonly host: Host
  readonly before: HookMemory
  readonly contents: Pick<KeptContents, 'keep'>
}

export interface PlacedCall {
  readonly asked: AskedCall
  readonly place: HookedCall
}

/** The call as it is asked about, in the project of its session. */
export async function placedCall(
  door: HookedDoor,
  event: Exclude<HookEvent, { is: 'prompt' }>,
): Promise<PlacedCall> {
  const { judge, host, runtime, principal } = door
  const session = sessionOfCall(host, event)
  const root =
    event.root ?? door.root ?? (await door.before.folderOf(principal, session, event.cwd))
  const asked = await judge.judged({
    principal,
    host: host.name,
    call: { ...event, root },
    declared: declaredIn(runtime.follower.state.catalog.capabilities, judge.tables),
    isAhead: event.is === 'call',
  })
  const { tool, args, same } = asked
  const digest = digestOfJson(jsonOf({ tool, args }))
  const ran = digestOfJson(jsonOf({ tool, args: same }))
  return { asked, place: { principal, session, digest, ran } }
}

/** What the intent of that call is named by; null where nothing names it. */
export function hookCallKey({ host, nonce }: HookedDoor, call: HookCall): string | null {
  const id = call.callId ?? nonce
  return id === undefined ? null : callToken(host, call, id)
}

export function addressOfCall(door: HookedDoor, call: HookCall): string | null {
  const key = hookCallKey(door, call)
  return key === null ? null : addressOf(door.principal, sessionOfCall(door.host, call), key)
}

export async function settledCall(asked: Promise<Verdict>): Promise<Verdict | Pending> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Pending) return error
    throw error
  }
}
