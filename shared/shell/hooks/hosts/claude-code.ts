// Claude Code: the one that can ask a server itself, and whose own dialogue can be asked.
import type { JsonObject } from '#schemas/catalog'
import { byEventName, each, hookKinds, type HookDecision, type HookWay, type Host } from './host.ts'

const { askingCall, done, failed, prompt } = hookKinds

export const claudeCode: Host = {
  name: 'claude-code',
  title: 'Claude Code',
  kindOf: byEventName({
    PreToolUse: askingCall,
    PostToolUse: done,
    PostToolUseFailure: failed,
    UserPromptSubmit: prompt,
  }),
  before: 'PreToolUse',
  answers: {
    decision: preToolUse,
    wordAt: ['hookSpecificOutput', 'permissionDecision'],
    canAsk: true,
    blocksBy: 'exit',
    isNeverSilent: false,
  },
  entries: (way, { timeoutSeconds, isBlocking }) => {
    const handler = handlerOf(way, timeoutSeconds)
    const before = { ...handler, ...(isBlocking && { onFailure: 'block' }) }
    return [
      { event: 'PreToolUse', entry: { matcher: '*', hooks: [before] } },
      ...each(['PostToolUse', 'PostToolUseFailure'], { matcher: '*', hooks: [handler] }),
      ...each(['UserPromptSubmit'], { hooks: [handler] }),
    ]
  },
  settings: {
    project: '.claude/settings.json',
    user: '.claude/settings.json',
    moved: { variable: 'CLAUDE_CONFIG_DIR', file: 'settings.json' },
    hasComments: true,
  },
  mcpFile: '.mcp.json',
  projectVariable: 'CLAUDE_PROJECT_DIR',
  asksServers: true,
  failing: {
    closed: true,
    text:
      'Claude Code fails closed from version 2.1.295 on, by `onFailure`; an older version ' +
      'FAILS OPEN where the hook cannot start, is killed or is not answered',
  },
  played: (command, { session, cwd, id }) => ({
    session_id: session,
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: id,
  }),
  driven: {
    program: 'claude',
    words: (text) => [
      '--print',
      text,
      '--setting-sources',
      'project',
      '--allowedTools',
      'Bash',
      '--max-turns',
      '4',
    ],
    own: 'your login, and none of your own settings',
  },
}

/** Codex reads the same, but for an allow. */
export function preToolUse({ outcome, reason }: HookDecision): JsonObject {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: outcome,
      ...(reason !== '' && { permissionDecisionReason: reason }),
    },
  }
}

function handlerOf(way: HookWay, timeout: number): JsonObject {
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
