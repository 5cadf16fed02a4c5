// Cursor: it takes `ask` before commands and tools of servers alone, and has events for one tool
// each beside those for all of them.
import { byEventName, commandOf, each, hookKinds, type Host } from './host.ts'

const { askingCall, call, done, failed, prompt } = hookKinds

const command = { tool: 'Shell', own: ['command', 'cwd', 'sandbox'] } as const

export const cursor: Host = {
  name: 'cursor',
  title: 'Cursor',
  kindOf: byEventName({
    preToolUse: call,
    postToolUse: done,
    postToolUseFailure: failed,
    beforeShellExecution: { ...askingCall, ...command },
    afterShellExecution: { ...done, ...command },
    beforeMCPExecution: askingCall,
    afterMCPExecution: done,
    beforeReadFile: { ...call, tool: 'Read', own: ['file_path'] },
    beforeSubmitPrompt: prompt,
  }),
  before: 'preToolUse',
  answers: {
    decision: ({ outcome, reason }) => {
      return outcome === 'allow'
        ? { permission: 'allow' }
        : { permission: outcome, user_message: reason, agent_message: reason }
    },
    wordAt: ['permission'],
    canAsk: true,
    blocksBy: 'both',
    isNeverSilent: true,
    prompt: { event: 'beforeSubmitPrompt', body: { continue: true } },
  },
  entries: (way, { timeoutSeconds, isBlocking }) => {
    const entry = { command: commandOf(way), timeout: timeoutSeconds }
    return [
      { event: 'preToolUse', entry: { ...entry, ...(isBlocking && { failClosed: true }) } },
      ...each(['postToolUse', 'postToolUseFailure', 'beforeSubmitPrompt'], entry),
    ]
  },
  mcpFile: '.cursor/mcp.json',
  settings: { project: '.cursor/hooks.json', user: '.cursor/hooks.json', isVersioned: true },
  projectVariable: 'CURSOR_PROJECT_DIR',
  failing: {
    closed: true,
    text: 'Cursor fails closed by `failClosed`; a version without `preToolUse` runs no hook at all',
  },
  played: (text, { session, cwd, id }) => ({
    conversation_id: session,
    hook_event_name: 'preToolUse',
    workspace_roots: [cwd],
    tool_name: 'Shell',
    tool_input: { command: text },
    tool_use_id: id,
    cwd,
  }),
  driven: {
    program: 'cursor-agent',
    words: (text) => ['--print', '--force', '--trust', text],
    own: 'your login and your own settings, which are not changed',
  },
}
