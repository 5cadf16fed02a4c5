// What a coding agent says to a hook, as one shape for all of them: the call that is about to run,
// the call that has run, or what the user has written. What a host starts before each tool reads it
// too, so no schema is loaded for it: JSON was read already, and only shapes are asked for.
import { withoutEnd } from '#record/reading/text-end'
import { utf8 } from '#platform/bytes'
import type { JsonObject } from '#schemas/catalog'
import { readJson } from '#record/json'
import { describeJsonFault } from '#record/json-fault'
import type { EventMembers, Host, Implied } from './hosts/host.ts'

/** The session of the events that `hook test` plays: what they ask of people is taken back. */
export const playedSession = 'warrant-hook-test'

export interface HookCall {
  readonly tool: string
  readonly args: JsonObject
  /** Absolute; null where the host does not say it. */
  readonly cwd: string | null
  /** The folder of the project, absolute; null where no one but the agent says which it is. */
  readonly root: string | null
  readonly session: string | null
  /** What the host itself calls this call, the same before and after it. */
  readonly callId: string | null
}

export type HookEvent =
  | (HookCall & {
      readonly is: 'call'
      /** Whether the host shows its own dialogue where it is answered `ask`. */
      readonly canAsk: boolean
    })
  | (HookCall & { readonly is: 'done'; readonly failed: boolean })
  | (Pick<HookCall, 'session' | 'cwd'> & { readonly is: 'prompt'; readonly prompt: string })

export type HookReading =
  | { readonly event: HookEvent }
  /** Why it cannot be read: what was expected, and where. */
  | { readonly unread: string }

/** `event` is JSON as the host sends it; what is more in it is left alone. */
export function readHookEvent(host: Host, event: unknown): HookReading {
  if (!isObject(event)) return { unread: 'the event is no JSON object' }
  const given = event
  const name = text(given['hook_event_name'])
  const kind = host.kindOf(name, given)
  if (kind === null) {
    return { unread: name === null ? 'no `hook_event_name`' : 'an event that no hook here is for' }
  }
  const session = text(given['session_id'] ?? given['sessionId'] ?? given['conversation_id'])
  if (kind.is === 'prompt') {
    const { prompt } = given
    if (typeof prompt !== 'string') return { unread: 'no `prompt`' }
    return { event: { is: 'prompt', session, prompt, cwd: placesIn(given).cwd } }
  }
  const call = callOf(given, session, kind)
  if ('unread' in call) return call
  if (kind.is === 'done') return { event: { ...call, is: 'done', failed: kind.failed } }
  return { event: { ...call, is: 'call', canAsk: kind.canAsk } }
}

function callOf(
  given: EventMembers,
  session: string | null,
  { tool: implied, own }: Implied,
): HookCall | { readonly unread: string } {
  const tool = implied ?? text(given['tool_name'] ?? given['toolName'])
  if (tool === null) return { unread: 'no name of a tool' }
  const args = argsOf(
    own === undefined ? (given['tool_input'] ?? given['toolArgs'] ?? {}) : ownOf(given, own),
  )
  if (typeof args === 'string') return { unread: args }
  return { tool, args, ...placesIn(given), session, callId: text(given['tool_use_id']) }
}

/** Of several folders of a workspace, that one in which the call is made. */
function placesIn(given: EventMembers): Pick<HookCall, 'cwd' | 'root'> {
  const roots: unknown = given['workspace_roots']
  const isTexts = Array.isArray(roots) && roots.every((one) => typeof one === 'string')
  // What is too long for a folder, or holds what none does, is looked at no further.
  const named = (isTexts ? roots : []).flatMap((one) => text(one) ?? [])
  const folders = named.filter((one) => one.startsWith('/'))
  const cwd = text(given['cwd']) ?? folders[0] ?? null
  const around = folders.find((one) => `${cwd}/`.startsWith(`${withoutEnd(one, /\//)}/`))
  return { cwd: cwd?.startsWith('/') === true ? cwd : null, root: around ?? folders[0] ?? null }
}

function ownOf(given: EventMembers, names: readonly string[]): EventMembers {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
}

const jsonLimits = { bytesMax: 4 * 1024 * 1024, depthMax: 32 }
const noArguments = 'the arguments of the tool are no JSON object'

/** Some hosts send them as text. A text says why they cannot be read. */
function argsOf(input: unknown): JsonObject | string {
  const reading =
    typeof input === 'string'
      ? readJson(utf8(input), jsonLimits)
      : { ok: true as const, value: input }
  if (!reading.ok) return `${noArguments}: ${describeJsonFault(reading)}`
  return isJsonObject(reading.value) ? reading.value : noArguments
}

function isObject(value: unknown): value is EventMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Of what was read as JSON: all that is in it is JSON as well. */
function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value)
}

const textMax = 256

function text(value: unknown): string | null {
  const isText = typeof value === 'string' && value !== '' && !/\p{Cc}/u.test(value)
  return isText && value.length <= (value.startsWith('/') ? 4096 : textMax) ? value : null
}
