// What our hooks are in the settings of each coding agent: one entry for each event.
import type { JsonObject } from '#schemas/catalog'
import type { HookHost } from '#schemas/hooks/tools'

/** How the host reaches us. */
export type HookWay = (
  | { readonly by: 'command'; readonly command: string }
  /** Of Claude Code alone; the token is in the variable of the environment. */
  | { readonly by: 'http'; readonly url: string; readonly tokenVariable: string }
) & {
  /** Whether nothing is enforced: then no failure of ours may block either. */
  readonly observes?: boolean
}

export interface HostEntry {
  readonly event: string
  readonly entry: JsonObject
}

/** Of a hook, in seconds; ours give up sooner. */
const timeouts = { enforcing: 30, observing: 10 }

export function hookEntries(host: HookHost, way: HookWay): readonly HostEntry[] {
  const observes = way.observes === true
  const timeoutSeconds = observes ? timeouts.observing : timeouts.enforcing
  const block = observes ? {} : ({ onFailure: 'block' } as const)
  const closed = observes ? {} : { failClosed: true }
  const each = (events: readonly string[], entry: JsonObject) =>
    events.map((event) => ({ event, entry }))
  switch (host) {
    case 'claude-code': {
      const handler = claudeHandler(way, timeoutSeconds)
      return [
        { event: 'PreToolUse', entry: { matcher: '*', hooks: [{ ...handler, ...block }] } },
        ...each(['PostToolUse', 'PostToolUseFailure'], { matcher: '*', hooks: [handler] }),
        ...each(['UserPromptSubmit'], { hooks: [handler] }),
      ]
    }
    case 'codex': {
      const handler = { type: 'command', command: commandOf(way), timeout: timeoutSeconds }
      return each(['PreToolUse', 'PostToolUse', 'UserPromptSubmit'], { hooks: [handler] })
    }
    case 'gemini': {
      const timeout = timeoutSeconds * 1_000
      const handler = { name: 'warrant', type: 'command', command: commandOf(way), timeout }
      return [
        ...each(['BeforeTool', 'AfterTool'], { matcher: '.*', hooks: [handler] }),
        ...each(['BeforeAgent'], { hooks: [handler] }),
      ]
    }
    case 'cursor': {
      const entry = { command: commandOf(way), timeout: timeoutSeconds }
      return [
        { event: 'preToolUse', entry: { ...entry, ...closed } },
        ...each(['postToolUse', 'postToolUseFailure', 'beforeSubmitPrompt'], entry),
      ]
    }
    case 'copilot': {
      const command = commandOf(way)
      const entry = { type: 'command', bash: command, powershell: command }
      const whole = { ...entry, timeoutSec: timeoutSeconds }
      return each(['preToolUse', 'postToolUse', 'userPromptSubmitted'], whole)
    }
  }
}

function claudeHandler(way: HookWay, timeout: number): JsonObject {
  if (way.by === 'command') {
    return { type: 'command', command: way.command, timeout }
  }
  return {
    type: 'http',
    url: way.url,
    headers: { Authorization: `Bearer $${way.tokenVariable}` },
    allowedEnvVars: [way.tokenVariable],
    timeout,
  }
}

function commandOf(way: HookWay): string {
  return way.by === 'command' ? way.command : ''
}
