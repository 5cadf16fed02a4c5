// What a coding agent says to a hook, as one shape for all of them: the call that is about to run,
// the call that has run, or what the user has written.
import { withoutEnd } from '../kernel/reading/text-end.ts'
import { z } from 'zod'
import { utf8 } from '#platform/bytes'
import { JsonObject } from '#schemas/catalog'
import type { HookHost } from '#schemas/hooks/tools'
import { readJson } from '../kernel/json.ts'
import { describeJsonFault } from '../kernel/json-fault.ts'

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
export function readHookEvent(host: HookHost, event: unknown): HookReading {
  const object = z.record(z.string(), z.unknown()).safeParse(event)
  if (!object.success) return { unread: 'the event is no JSON object' }
  const given = object.data
  const kind = kindOf(host, given)
  if (kind === null) {
    const name = text(given['hook_event_name'])
    return { unread: name === null ? 'no `hook_event_name`' : 'an event that no hook here is for' }
  }
  const session = text(given['session_id'] ?? given['sessionId'] ?? given['conversation_id'])
  if (kind.is === 'prompt') {
    const prompt = z.string().safeParse(given['prompt'])
    if (!prompt.success) return { unread: 'no `prompt`' }
    return { event: { is: 'prompt', session, prompt: prompt.data, cwd: placesIn(given).cwd } }
  }
  const call = callOf(given, session, kind)
  if ('unread' in call) return call
  if (kind.is === 'done') return { event: { ...call, is: 'done', failed: kind.failed } }
  return { event: { ...call, is: 'call', canAsk: kind.canAsk } }
}

type Kind =
  | ({ readonly is: 'call'; readonly canAsk: boolean } & Implied)
  | ({ readonly is: 'done'; readonly failed: boolean } & Implied)
  | { readonly is: 'prompt' }

/** An event that is for one tool alone, whose arguments stand beside what every event has. */
interface Implied {
  readonly tool?: string
  readonly own?: readonly string[]
}

const command = { tool: 'Shell', own: ['command', 'cwd', 'sandbox'] } as const

const call = { is: 'call', canAsk: false } as const
const done = { is: 'done', failed: false } as const
const failed = { is: 'done', failed: true } as const
const prompt = { is: 'prompt' } as const

/**
 * Only what a host is known to ask about is asked: Codex runs what was answered `ask`, Gemini knows
 * no such answer, Cursor takes it before commands and tools of servers alone.
 */
const kinds: Readonly<Record<HookHost, ReadonlyMap<string, Kind>>> = {
  'claude-code': new Map<string, Kind>([
    ['PreToolUse', { is: 'call', canAsk: true }],
    ['PostToolUse', done],
    ['PostToolUseFailure', failed],
    ['UserPromptSubmit', prompt],
  ]),
  codex: new Map<string, Kind>([
    ['PreToolUse', call],
    ['PostToolUse', done],
    ['UserPromptSubmit', prompt],
  ]),
  gemini: new Map<string, Kind>([
    ['BeforeTool', call],
    ['AfterTool', done],
    ['BeforeAgent', prompt],
  ]),
  cursor: new Map<string, Kind>([
    ['preToolUse', call],
    ['postToolUse', done],
    ['postToolUseFailure', failed],
    ['beforeShellExecution', { is: 'call', canAsk: true, ...command }],
    ['afterShellExecution', { ...done, ...command }],
    ['beforeMCPExecution', { is: 'call', canAsk: true }],
    ['afterMCPExecution', done],
    ['beforeReadFile', { ...call, tool: 'Read', own: ['file_path'] }],
    ['beforeSubmitPrompt', prompt],
  ]),
  copilot: new Map<string, Kind>(),
}

type Given = Readonly<Record<string, unknown>>

function kindOf(host: HookHost, given: Given): Kind | null {
  const name = text(given['hook_event_name'])
  if (host !== 'copilot') return name === null ? null : (kinds[host].get(name) ?? null)
  // Copilot does not name the event: what is in it shows which it is.
  if (name !== null) return null
  if ('toolResult' in given) {
    const result = z.object({ resultType: z.string() }).safeParse(given['toolResult'])
    return result.success && result.data.resultType === 'success' ? done : failed
  }
  if ('toolName' in given) return call
  return 'prompt' in given ? prompt : null
}

function callOf(
  given: Given,
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
function placesIn(given: Given): Pick<HookCall, 'cwd' | 'root'> {
  const roots = z.array(z.string()).safeParse(given['workspace_roots'])
  // What is too long for a folder, or holds what none does, is looked at no further.
  const named = (roots.data ?? []).flatMap((one) => text(one) ?? [])
  const folders = named.filter((one) => one.startsWith('/'))
  const cwd = text(given['cwd']) ?? folders[0] ?? null
  const around = folders.find((one) => `${cwd}/`.startsWith(`${withoutEnd(one, /\//)}/`))
  return { cwd: cwd?.startsWith('/') === true ? cwd : null, root: around ?? folders[0] ?? null }
}

function ownOf(given: Given, names: readonly string[]): Given {
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
  const object = JsonObject.safeParse(reading.value)
  return object.success ? object.data : noArguments
}

const textMax = 256

function text(value: unknown): string | null {
  const isText = typeof value === 'string' && value !== '' && !/\p{Cc}/u.test(value)
  return isText && value.length <= (value.startsWith('/') ? 4096 : textMax) ? value : null
}
