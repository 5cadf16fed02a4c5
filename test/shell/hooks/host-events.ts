// Events as each coding agent sends them, written from its published schema.
import { hosts as known, hostNamed } from '#shell/hooks/hosts/hosts'
import type { Host } from '#shell/hooks/hosts/host'

type Event = Readonly<Record<string, unknown>>

export const hosts: readonly string[] = known.map(({ name }) => name)

export function hostOf(name: string): Host {
  const found = hostNamed(name)
  if (found === null) throw new Error(`there is no ${name}`)
  return found
}

interface Called {
  readonly command: string
  readonly cwd?: string
  readonly id?: string
  readonly session?: string
}

export interface ToolCalled {
  readonly tool: string
  readonly input: unknown
  readonly cwd?: string
  readonly id?: string
  readonly session?: string
}

interface Events {
  /** The name by which it calls its tool for commands. */
  readonly shell: string
  readonly before: (called: Required<ToolCalled>) => Event
  readonly after: (before: Event) => Event
  readonly prompt: (text: string) => Event
}

const after =
  (name: string) =>
  (before: Event): Event => ({
    ...before,
    hook_event_name: name,
    tool_response: { stdout: 'done' },
  })

const prompt =
  (name: string, session: object = { session_id: 's-1' }) =>
  (text: string): Event => ({
    ...session,
    cwd: '/srv/ann/shop',
    hook_event_name: name,
    prompt: text,
  })

const sent: Readonly<Record<string, Events>> = {
  'claude-code': {
    shell: 'Bash',
    before: ({ tool, input, cwd, id, session }) => ({
      session_id: session,
      transcript_path: '/srv/ann/.claude/s-1.jsonl',
      cwd,
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: tool,
      tool_input: input,
      tool_use_id: id,
    }),
    after: after('PostToolUse'),
    prompt: prompt('UserPromptSubmit'),
  },
  codex: {
    shell: 'Bash',
    before: ({ tool, input, cwd, id, session }) => ({
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
    }),
    after: after('PostToolUse'),
    prompt: prompt('UserPromptSubmit'),
  },
  gemini: {
    shell: 'run_shell_command',
    before: ({ tool, input, cwd, session }) => ({
      session_id: session,
      transcript_path: '/srv/ann/.gemini/s-1.json',
      cwd,
      hook_event_name: 'BeforeTool',
      timestamp: '2026-11-01T09:00:00.000Z',
      tool_name: tool,
      tool_input: input,
    }),
    after: after('AfterTool'),
    prompt: prompt('BeforeAgent'),
  },
  cursor: {
    shell: 'Shell',
    before: ({ tool, input, cwd, id, session }) => ({
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
    }),
    after: after('postToolUse'),
    prompt: prompt('beforeSubmitPrompt', { conversation_id: 's-1' }),
  },
  copilot: {
    shell: 'bash',
    before: ({ tool, input, cwd }) => ({
      timestamp: 1_704_614_600_000,
      cwd,
      toolName: tool,
      toolArgs: JSON.stringify(input),
    }),
    after: (before) => {
      const toolResult = { resultType: 'success', textResultForLlm: 'done' }
      return { ...before, toolResult }
    },
    prompt: (text) => ({ timestamp: 1_704_614_500_000, cwd: '/srv/ann', prompt: text }),
  },
}

function sentBy(name: string): Events {
  const events = sent[name]
  if (events === undefined) throw new Error(`no events of ${name} are here: add what it sends`)
  return events
}

/** The event before a command runs. */
export function beforeCommand(name: string, { command, ...called }: Called): Event {
  return beforeTool(name, { tool: sentBy(name).shell, input: { command }, ...called })
}

/** The event before any tool runs. */
export function beforeTool(name: string, called: ToolCalled): Event {
  const usual = { cwd: '/srv/ann/shop', id: 'call-1', session: 's-1' }
  return sentBy(name).before({ ...usual, ...called })
}

/** The event after the tool of that event has run. */
export function afterTool(name: string, before: Event): Event {
  return sentBy(name).after(before)
}

/** What the user has written. */
export function promptEvent(name: string, text: string): Event {
  return sentBy(name).prompt(text)
}
