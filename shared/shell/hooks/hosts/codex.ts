// Codex: it reports an allow as an answer that it does not know, and runs what is asked about. It
// passes our hooks over without a word where its configuration (an administrator's, the user's or
// the project's) turns hooks off, or runs those of an administrator alone. What is set when it is
// started is not seen.
import { preToolUse } from './claude-code.ts'
import {
  byEventName,
  commandOf,
  each,
  hookKinds,
  type ConfigurationFile,
  type Host,
} from './host.ts'

const { call, done, prompt } = hookKinds

export const codex: Host = {
  name: 'codex',
  title: 'Codex',
  kindOf: byEventName({ PreToolUse: call, PostToolUse: done, UserPromptSubmit: prompt }),
  before: 'PreToolUse',
  answers: {
    decision: ({ outcome, reason }) => {
      return outcome === 'allow' ? {} : preToolUse({ outcome: 'deny', reason })
    },
    wordAt: ['hookSpecificOutput', 'permissionDecision'],
    canAsk: false,
    blocksBy: 'exit',
    isNeverSilent: false,
  },
  entries: (way, { timeoutSeconds }) => {
    const handler = { type: 'command', command: commandOf(way), timeout: timeoutSeconds }
    return each(['PreToolUse', 'PostToolUse', 'UserPromptSubmit'], { hooks: [handler] })
  },
  settings: {
    project: '.codex/hooks.json',
    user: '.codex/hooks.json',
    moved: { variable: 'CODEX_HOME', file: 'hooks.json' },
  },
  failing: {
    closed: false,
    text:
      'Codex FAILS OPEN where the hook cannot start or is killed, and some of its tools have ' +
      'no hook at all',
  },
  afterInstall: 'look in /hooks of Codex that it trusts them',
  played: (command, { session, cwd, id }) => ({
    session_id: session,
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: id,
  }),
  driven: {
    program: 'codex',
    words: (text, folder) => [
      'exec',
      '--skip-git-repo-check',
      '--ephemeral',
      '--ignore-user-config',
      '--sandbox',
      'workspace-write',
      '--dangerously-bypass-hook-trust',
      '--config',
      `projects={${JSON.stringify(folder)}={trust_level="trusted"}}`,
      text,
    ],
    own: 'your login, and none of your own settings but hooks',
  },
  configuration: {
    files: (home, project) => [
      `${system}/requirements.toml`,
      `${system}/config.toml`,
      `${home}/config.toml`,
      `${project}/.codex/config.toml`,
    ],
    obstacles,
  },
}

/** Of an administrator, on every system but Windows. */
const system = '/etc/codex'

/** The first of the files says what an administrator demands; of the others the last one counts. */
function obstacles(read: readonly ConfigurationFile[], hooksFile: string): readonly string[] {
  const all = read.map(({ file, text }) => ({ file, text, ...codexSays(text ?? '') }))
  const [required, , user] = all
  const off =
    required?.hooks === false ? required : all.slice(1).findLast(({ hooks }) => hooks !== null)
  return [
    ...all.flatMap(({ file, text }) => {
      return text === null ? [`\`${file}\` cannot be read, so hooks may be off there`] : []
    }),
    ...(off?.hooks === false
      ? [`\`${off.file}\` turns hooks off: set \`hooks = true\` under [features] there`]
      : []),
    ...(required?.managedOnly === true
      ? [`\`${required.file}\` lets only the hooks of an administrator run`]
      : []),
    ...(user?.disabled ?? [])
      .filter((one) => one.startsWith(`${hooksFile}:`))
      .map((one) => `the hook \`${one}\` is switched off: switch it on in /hooks of Codex`),
  ]
}

interface CodexSays {
  /** Null where it does not set them. */
  readonly hooks: boolean | null
  /** Whether only the hooks of an administrator run. */
  readonly managedOnly: boolean
  /** The hooks that the user has switched off, as `FILE:EVENT:GROUP:HANDLER`. */
  readonly disabled: readonly string[]
}

/** The older name counts where the newer is not there. */
const names = ['hooks', 'codex_hooks']

/** Of a text in TOML. Total: lines that are not understood say nothing. */
export function codexSays(text: string): CodexSays {
  const said = new Map<string, boolean>()
  const disabled: string[] = []
  let table: readonly string[] = []
  for (const line of plainLines(text)) {
    const header = /^\[\[?(?<path>[^\]]*)\]/u.exec(line)?.groups?.['path']
    if (header !== undefined) {
      table = keysIn(header)
      continue
    }
    const [, key = '', value = ''] = /^(?<key>[^=]+)=\s*(?<value>.*)$/u.exec(line) ?? []
    const path = [...table, ...keysIn(key)]
    for (const [name, one] of valuesIn(value.trim())) {
      const [first, second = '', third = ''] = [...path, ...name]
      const last = [...path, ...name].at(-1)
      if (first === 'features' && names.includes(second)) said.set(second, one)
      if (first === 'allow_managed_hooks_only') said.set(first, one)
      const isState = first === 'hooks' && second === 'state' && last === 'enabled'
      if (isState && !one) disabled.push(third)
    }
  }
  const found = names.map((name) => said.get(name)).find((one) => one !== undefined)
  const managedOnly = said.get('allow_managed_hooks_only') === true
  return { hooks: found ?? null, managedOnly, disabled }
}

const quotes = ['"""', "'''"]

/** Without comments, and without what stands in texts of several lines. */
function plainLines(text: string): readonly string[] {
  let open: string | null = null
  return text.split(/\r?\n/u).flatMap((line) => {
    if (open !== null) {
      if (line.includes(open)) open = null
      return []
    }
    const plain = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^#"'])*/u.exec(line)?.[0].trim() ?? ''
    open = quotes.find((one) => line.split(one).length % 2 === 0) ?? null
    return plain === '' ? [] : [plain]
  })
}

const keyPattern = /"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)'|(?<bare>[\w-]+)/gu

function keysIn(path: string): readonly string[] {
  return [...path.matchAll(keyPattern)].map(({ groups }) => {
    const { double, single, bare } = groups ?? {}
    return double?.replaceAll(/\\(?<one>.)/gu, '$<one>') ?? single ?? bare ?? ''
  })
}

/** A truth by itself, or those in a table of one line by their names. */
function valuesIn(value: string): readonly (readonly [readonly string[], boolean])[] {
  if (value === 'true' || value === 'false') return [[[], value === 'true']]
  if (!value.startsWith('{')) return []
  const found = value.matchAll(/(?<=[{,]\s*)(?<key>[^={},]+)=\s*(?<is>true|false)\b/gu)
  return [...found].map(({ groups }) => [keysIn(groups?.['key'] ?? ''), groups?.['is'] === 'true'])
}
