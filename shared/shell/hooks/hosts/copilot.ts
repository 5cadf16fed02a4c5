// Copilot CLI: it does not name its events, and reads a denial from standard output alone.
import { commandOf, each, hookKinds, type EventMembers, type Host } from './host.ts'

const { call, done, failed, prompt } = hookKinds

export const copilot: Host = {
  name: 'copilot',
  title: 'Copilot CLI',
  kindOf: (event, given) => {
    if (event !== null) return null
    // What is in it shows which it is.
    if ('toolResult' in given) return hasSucceeded(given) ? done : failed
    if ('toolName' in given) return call
    return 'prompt' in given ? prompt : null
  },
  before: 'preToolUse',
  answers: {
    decision: ({ outcome, reason }) => {
      return outcome === 'allow'
        ? { permissionDecision: 'allow' }
        : { permissionDecision: 'deny', permissionDecisionReason: reason }
    },
    wordAt: ['permissionDecision'],
    canAsk: false,
    blocksBy: 'json',
    isNeverSilent: false,
  },
  entries: (way, { timeoutSeconds }) => {
    const command = commandOf(way)
    const entry = { type: 'command', bash: command, powershell: command }
    const whole = { ...entry, timeoutSec: timeoutSeconds }
    return each(['preToolUse', 'postToolUse', 'userPromptSubmitted'], whole)
  },
  settings: {
    project: '.github/hooks/warrant.json',
    user: '.copilot/hooks/warrant.json',
    isVersioned: true,
  },
  failing: {
    closed: false,
    text: 'Copilot CLI may FAIL OPEN where the hook cannot start or is killed: versions differ',
  },
  played: (command, { session, cwd }) => ({
    timestamp: 0,
    sessionId: session,
    cwd,
    toolName: 'bash',
    toolArgs: JSON.stringify({ command }),
  }),
  driven: {
    program: 'copilot',
    words: (text) => ['--prompt', text, '--allow-all-tools'],
    own: 'your login and your own settings, which are not changed',
  },
}

function hasSucceeded({ toolResult: result }: EventMembers): boolean {
  const isNamed = typeof result === 'object' && result !== null && 'resultType' in result
  return isNamed && result.resultType === 'success'
}
