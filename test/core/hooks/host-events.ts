// Events as each coding agent sends them, written from its published schema.
import type { HookHost } from '#schemas/hooks/tools'

export const hosts: readonly HookHost[] = ['claude-code', 'codex', 'gemini', 'cursor', 'copilot']

interface Called {
  readonly command: string
  readonly cwd?: string
  readonly id?: string
  readonly session?: string
}

/** The name by which each calls its tool for commands. */
const shellTools: Readonly<Record<HookHost, string>> = {
  'claude-code': 'Bash',
  codex: 'Bash',
  gemini: 'run_shell_command',
  cursor: 'Shell',
  copilot: 'bash',
}

/** The event before a command runs. */
export function beforeCommand(
  host: HookHost,
  { command, cwd = '/srv/ann/shop', id = 'call-1', session = 's-1' }: Called,
): Readonly<Record<string, unknown>> {
  return beforeTool(host, { tool: shellTools[host], input: { command }, cwd, id, session })
}

export interface ToolCalled {
  readonly tool: string
  readonly input: unknown
  readonly cwd?: string
  readonly id?: string
  readonly session?: string
}

/** The event before any tool runs. */
export function beforeTool(
  host: HookHost,
  { tool, input, cwd = '/srv/ann/shop', id = 'call-1', session = 's-1' }: ToolCalled,
): Readonly<Record<string, unknown>> {
  switch (host) {
    case 'claude-code':
      return {
        session_id: session,
        transcript_path: '/srv/ann/.claude/s-1.jsonl',
        cwd,
        permission_mode: 'default',
        hook_event_name: 'PreToolUse',
        tool_name: tool,
        tool_input: input,
        tool_use_id: id,
      }
    case 'codex':
      return {
        session_id: session,
        turn_id: 't-1',
        transcript_path: null,
        cwd,
        hook_event_name: 'PreToolUse',
        model: 'gpt',
        permission_mode: 'default',
        tool_name: tool,
        tool_use_id: id,
        tool_input: input,
      }
    case 'gemini':
      return {
        session_id: session,
        transcript_path: '/srv/ann/.gemini/s-1.json',
        cwd,
        hook_event_name: 'BeforeTool',
        timestamp: '2026-11-01T09:00:00.000Z',
        tool_name: tool,
        tool_input: input,
      }
    case 'cursor':
      return {
        conversation_id: session,
        generation_id: 'g-1',
        model: 'gpt',
        hook_event_name: 'preToolUse',
        cursor_version: '2.6.0',
        workspace_roots: [cwd],
        user_email: null,
        tool_name: tool,
        tool_input: input,
        tool_use_id: id,
        cwd,
      }
    case 'copilot':
      return {
        timestamp: 1_704_614_600_000,
        cwd,
        toolName: tool,
        toolArgs: JSON.stringify(input),
      }
  }
}

const afterNames = {
  'claude-code': 'PostToolUse',
  codex: 'PostToolUse',
  gemini: 'AfterTool',
  cursor: 'postToolUse',
} as const

/** The event after the tool of that event has run. */
export function afterTool(
  host: HookHost,
  before: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (host === 'copilot') {
    const toolResult = { resultType: 'success', textResultForLlm: 'done' }
    return { ...before, toolResult }
  }
  return { ...before, hook_event_name: afterNames[host], tool_response: { stdout: 'done' } }
}

const promptNames = {
  'claude-code': 'UserPromptSubmit',
  codex: 'UserPromptSubmit',
  gemini: 'BeforeAgent',
  cursor: 'beforeSubmitPrompt',
} as const

/** What the user has written. */
export function promptEvent(host: HookHost, text: string): Readonly<Record<string, unknown>> {
  if (host === 'copilot') return { timestamp: 1_704_614_500_000, cwd: '/srv/ann', prompt: text }
  const session = host === 'cursor' ? { conversation_id: 's-1' } : { session_id: 's-1' }
  return { ...session, cwd: '/srv/ann/shop', hook_event_name: promptNames[host], prompt: text }
}
