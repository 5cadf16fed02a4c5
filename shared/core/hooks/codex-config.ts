// What the configuration of Codex says of hooks. Where hooks are off there, or only those of an
// administrator run, Codex passes ours over without a word.

export interface CodexSays {
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
