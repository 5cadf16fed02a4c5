// Gemini CLI: it knows no answer by which its user is asked, and takes standard error for the
// answer where standard output is empty.
import { byEventName, commandOf, each, hookKinds, type Host } from './host.ts'

const { call, done, prompt } = hookKinds

export const gemini: Host = {
  name: 'gemini',
  title: 'Gemini CLI',
  kindOf: byEventName({ BeforeTool: call, AfterTool: done, BeforeAgent: prompt }),
  before: 'BeforeTool',
  answers: {
    decision: ({ outcome, reason }) => {
      return outcome === 'allow' ? { decision: 'allow' } : { decision: 'deny', reason }
    },
    wordAt: ['decision'],
    canAsk: false,
    blocksBy: 'exit',
    isNeverSilent: true,
  },
  entries: (way, { timeoutSeconds }) => {
    const timeout = timeoutSeconds * 1_000
    const handler = { name: 'warrant', type: 'command', command: commandOf(way), timeout }
    return [
      ...each(['BeforeTool', 'AfterTool'], { matcher: '.*', hooks: [handler] }),
      ...each(['BeforeAgent'], { hooks: [handler] }),
    ]
  },
  settings: {
    project: '.gemini/settings.json',
    user: '.gemini/settings.json',
    hasComments: true,
  },
  projectVariable: 'GEMINI_PROJECT_DIR',
  failing: {
    closed: false,
    text: 'Gemini CLI FAILS OPEN where the hook cannot start or is killed',
  },
  played: (command, { session, cwd }) => ({
    session_id: session,
    cwd,
    hook_event_name: 'BeforeTool',
    timestamp: '2026-01-01T00:00:00.000Z',
    tool_name: 'run_shell_command',
    tool_input: { command },
  }),
  driven: {
    program: 'gemini',
    words: (text) => ['--approval-mode', 'yolo', '--prompt', text],
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    own: 'your login and your own settings, which are not changed',
  },
}
