// What a coding agent says to a hook, as one shape for all of them: the call that is about to run,
// the call that has run, or what the user has written.
import { z } from 'zod'
import { utf8 } from '#platform/bytes'
import { JsonObject } from '#schemas/catalog'
import type { HookHost } from '#schemas/hooks/tools'
import { readJson } from '../kernel/json.ts'

export interface HookCall {
  readonly tool: string
  readonly args: JsonObject
  /** Absolute; null where the host does not say it. */
  readonly cwd: string | null
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
  | { readonly is: 'prompt'; readonly session: string | null; readonly prompt: string }

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
    return { event: { is: 'prompt', session, prompt: prompt.data } }
  }
  const call = callOf(given, session, kind)
  if ('unread' in call) return call
  if (kind.is === 'done') return { event: { ...call, is: 'done', failed: kind.failed } }
  return { event: { ...call, is: 'call', canAsk: kind.canAsk } }
}

type Kind =
  | { readonly is: 'call'; readonly canAsk: boolean; readonly tool?: string }
  | { readonly is: 'done'; readonly failed: boolean; readonly tool?: string }
  | { readonly is: 'prompt' }

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
    ['beforeShellExecution', { is: 'call', canAsk: true, tool: 'Shell' }],
    ['afterShellExecution', { ...done, tool: 'Shell' }],
    ['beforeMCPExecution', { is: 'call', canAsk: true }],
    ['afterMCPExecution', done],
    ['beforeReadFile', { ...call, tool: 'Read' }],
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
  { tool: implied }: { readonly tool?: string },
): HookCall | { readonly unread: string } {
  const tool = implied ?? text(given['tool_name'] ?? given['toolName'])
  if (tool === null) return { unread: 'no name of a tool' }
  const input = implied === undefined ? (given['tool_input'] ?? given['toolArgs'] ?? {}) : given
  const args = argsOf(input)
  if (args === null) return { unread: 'the arguments of the tool are no JSON object' }
  const roots = z.array(z.string()).safeParse(given['workspace_roots'])
  const cwd = text(given['cwd']) ?? (roots.success ? (roots.data[0] ?? null) : null)
  return {
    tool,
    args,
    cwd: cwd?.startsWith('/') === true ? cwd : null,
    session,
    callId: text(given['tool_use_id']),
  }
}

const jsonLimits = { bytesMax: 4 * 1024 * 1024, depthMax: 32 }

/** Some hosts send them as text. */
function argsOf(input: unknown): JsonObject | null {
  const reading =
    typeof input === 'string'
      ? readJson(utf8(input), jsonLimits)
      : { ok: true as const, value: input }
  const object = JsonObject.safeParse(reading.ok ? reading.value : null)
  return object.success ? object.data : null
}

const textMax = 256

function text(value: unknown): string | null {
  const isText = typeof value === 'string' && value !== '' && !/\p{Cc}/u.test(value)
  return isText && value.length <= (value.startsWith('/') ? 4096 : textMax) ? value : null
}
