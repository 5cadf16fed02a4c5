// The event that a coding agent sends before a command runs, by its published schema.
import { playedSession } from '#core/hooks/hook-event'
import type { HookHost } from '#schemas/hooks/tools'

export function playedEvent(host: HookHost, command: string): Readonly<Record<string, unknown>> {
  const cwd = process.cwd()
  // Each call has a name of its own: none is taken for one of before.
  const id = `test-${process.pid}-${process.hrtime.bigint()}`
  const input = { command }
  switch (host) {
    case 'claude-code':
    case 'codex':
      return {
        session_id: playedSession,
        cwd,
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: input,
        tool_use_id: id,
      }
    case 'gemini':
      return {
        session_id: playedSession,
        cwd,
        hook_event_name: 'BeforeTool',
        timestamp: '2026-01-01T00:00:00.000Z',
        tool_name: 'run_shell_command',
        tool_input: input,
      }
    case 'cursor':
      return {
        conversation_id: playedSession,
        hook_event_name: 'preToolUse',
        workspace_roots: [cwd],
        tool_name: 'Shell',
        tool_input: input,
        tool_use_id: id,
        cwd,
      }
    case 'copilot':
      return {
        timestamp: 0,
        sessionId: playedSession,
        cwd,
        toolName: 'bash',
        toolArgs: JSON.stringify(input),
      }
  }
}
