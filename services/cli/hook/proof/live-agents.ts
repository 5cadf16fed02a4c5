// How each installed coding agent is driven without a person: in a folder of its own, with the
// login that it has. Where it has an option to leave the user's own settings out, it gets that.
import type { HookHost } from '#schemas/hooks/tools'

export interface DrivenAgent {
  readonly program: string
  /** What it is called with; the folder is where it runs. */
  readonly words: (prompt: string, folder: string) => readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** What of the user's own counts in the run. */
  readonly own: string
}

export const drivenAgents: Readonly<Record<HookHost, DrivenAgent>> = {
  'claude-code': {
    program: 'claude',
    words: (prompt) => [
      '--print',
      prompt,
      '--setting-sources',
      'project',
      '--allowedTools',
      'Bash',
      '--max-turns',
      '4',
    ],
    own: 'your login, and none of your own settings',
  },
  codex: {
    program: 'codex',
    words: (prompt, folder) => [
      'exec',
      '--skip-git-repo-check',
      '--ephemeral',
      '--ignore-user-config',
      '--sandbox',
      'workspace-write',
      '--dangerously-bypass-hook-trust',
      '--config',
      `projects={${JSON.stringify(folder)}={trust_level="trusted"}}`,
      prompt,
    ],
    own: 'your login, and none of your own settings but hooks',
  },
  gemini: {
    program: 'gemini',
    words: (prompt) => ['--approval-mode', 'yolo', '--prompt', prompt],
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    own: 'your login and your own settings, which are not changed',
  },
  cursor: {
    program: 'cursor-agent',
    words: (prompt) => ['--print', '--force', '--trust', prompt],
    own: 'your login and your own settings, which are not changed',
  },
  copilot: {
    program: 'copilot',
    words: (prompt) => ['--prompt', prompt, '--allow-all-tools'],
    own: 'your login and your own settings, which are not changed',
  },
}
