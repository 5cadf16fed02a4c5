// Every argument of every tool of every coding agent: an approval binds it, a flag is seen, what
// chooses files is judged as a path is, and what the table does not know is asked about.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HookCall } from '#shell/hooks/hook-event'
import { boundCall, type AskedCall } from '#shell/hooks/hook-input'
import { declaredIn } from '#judging/judging'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { CatalogFile, type JsonObject, type JsonValue } from '#schemas/catalog'
import type { HookTool } from '#shell/hooks/tool-table'
import { hosts } from './host-events.ts'

const root = join(import.meta.dirname, '../../..')
const tables = await readHookTables(shippedHookSeeds(root))
const capabilities = new Map(
  ['shell', 'hooks'].flatMap((seed) => {
    const text = readFileSync(join(root, 'seeds', seed, 'catalog.json'), 'utf8')
    const { capabilities: all } = CatalogFile.parse(JSON.parse(text))
    return all.map((one) => [one.id, one] as const)
  }),
)
const declared = declaredIn(capabilities, tables)
const project = '/srv/ann/shop'

function asked(
  host: string,
  tool: string,
  args: JsonObject,
  { log = declared, cwd = project }: { readonly log?: typeof declared; readonly cwd?: string } = {},
): AskedCall {
  const call: HookCall = { tool, args, cwd, root: project, session: 's', callId: null }
  return boundCall(host, call, {
    ...tables,
    declared: (capability) => new Set(log[capability]),
    before: [],
    keyedDigest: (text) => `keyed:${text.length}`,
  })
}

interface ListedTool {
  readonly host: string
  readonly tool: string
  readonly entry: HookTool
}

const listed: readonly ListedTool[] = hosts.flatMap((host) =>
  Object.entries(tables.tools.hosts[host] ?? {}).map(([name, entry]) => ({
    host,
    tool: name.replace('*', 'one'),
    entry,
  })),
)
const judged = listed.filter(({ entry }) => entry.whole !== true)
const named = (tools: readonly ListedTool[]) =>
  tools.map((one) => [`${one.host} ${one.tool}`, one] as const)

const words = (...fields: readonly (string | undefined)[]) =>
  fields.flatMap((one) => one?.split(' ') ?? [])

const patchOf = (path: string) => `*** Begin Patch\n*** Update File: ${path}\n+x\n*** End Patch`

/** The least that the tool needs. */
function least({ bare, ...entry }: HookTool): JsonObject {
  const { command, reads, names, writes, deletes, patch, args = {} } = entry
  const texts: Record<string, JsonValue> = {}
  const put = (fields: string | undefined, value: string): void => {
    const [first] = words(fields)
    if (first !== undefined) texts[first] = value
  }
  put(command, 'ls')
  if (bare !== true) put(reads ?? names, 'src/a.ts')
  put(writes, 'src/a.ts')
  put(deletes, 'src/a.ts')
  put(patch, patchOf('src/a.ts'))
  for (const fields of Object.values(args)) put(fields, 'one')
  return texts
}

function members({ command, folder, reads, writes, deletes, patch, ...entry }: HookTool) {
  const { names, search, old, new: now, edits, also, flags = {}, args = {} } = entry
  const fields = [command, folder, reads, writes, deletes, patch, names, search?.for, old, now]
  return [
    ...new Set([...words(...fields, edits, also, ...Object.values(args)), ...Object.keys(flags)]),
  ]
}

/** Two values that differ in nothing but what the tool would do. */
function values({ patch, edits, old = '', new: now = '' }: HookTool, member: string) {
  if (words(patch).includes(member)) return [patchOf('src/a.ts'), `${patchOf('src/a.ts')}\n+y`]
  const [gone = 'old'] = words(old)
  const [come = 'new'] = words(now)
  if (words(edits).includes(member)) {
    return [[{ [gone]: 'a', [come]: 'b' }], [{ [gone]: 'a', [come]: 'c' }]]
  }
  return ['src/b.ts', 'src/c.ts']
}

describe('an approval binds', () => {
  test.each(named(judged))('%s: every argument that the table has', (_, { host, tool, entry }) => {
    for (const member of members(entry)) {
      const [one, other] = values(entry, member).map((value) =>
        asked(host, tool, { ...least(entry), [member]: value }),
      )
      expect(one?.tool, member).toBe(entry.capability)
      expect(other?.tool, member).toBe(entry.capability)
      expect(one?.args, member).not.toEqual(other?.args)
      expect(one?.same, member).not.toEqual(other?.same)
    }
  })

  test.each(named(listed))('%s: not what changes nothing', (_, { host, tool, entry }) => {
    const plain = asked(host, tool, least(entry))
    const described = asked(host, tool, { ...least(entry), description: 'it says why' })
    expect(described.args['input']).toEqual(plain.args['input'])
    expect(described.tool).toBe(plain.tool)
  })

  test.each(named(judged))(
    '%s: an argument that no table has is asked about, and denied where it would be',
    (_, { host, tool, entry }) => {
      const strange = { ...least(entry), teleport: true }
      expect(asked(host, tool, strange)).toMatchObject({
        tool: 'tool.call',
        concepts: expect.arrayContaining(['unknown.command']),
      })
      const isWriting = entry.writes !== undefined
      if (!isWriting) return
      const [path = ''] = words(entry.writes)
      const guarded = asked(host, tool, { ...strange, [path]: '.claude/settings.json' })
      expect(guarded.concepts).toContain('guard.change')
    },
  )

  test.each(named(listed))('%s: nothing new in a log that declares nothing', (_, one) => {
    const { host, tool, entry } = one
    const before = asked(host, tool, { ...least(entry), teleport: true }, { log: {} })
    expect(before).toMatchObject({ tool: entry.capability, isOld: true })
    expect(before.args).not.toHaveProperty('input')
  })
})

test.each(named(judged.filter(({ entry }) => entry.flags !== undefined)))(
  '%s: a flag stands for something by itself, where it is on',
  (_, { host, tool, entry }) => {
    for (const [flag, concept] of Object.entries(entry.flags ?? {})) {
      for (const value of [true, 'all', ['network'], 1, { a: 1 }]) {
        const { concepts, args } = asked(host, tool, { ...least(entry), [flag]: value })
        expect(concepts, flag).toContain(concept)
        expect(args['options']).toHaveProperty(flag)
      }
      for (const value of [false, null, '', 'use_default', []]) {
        const { concepts } = asked(host, tool, { ...least(entry), [flag]: value })
        expect(concepts, flag).not.toContain(concept)
      }
    }
  },
)

const secrets = ['.env', '.env*', '**/.env', '*.pem', '**/id_rsa', '**/.ssh/*', '.e?v', '{.env,a}']
const outside = ['../../**', '../x', '/etc/*', '~/x', '**/../../../x']
const honest = [
  '*.ts',
  '**/*.ts',
  '*.{ts,tsx}',
  'src/**',
  '*.json',
  '**/*.json',
  'test/**/*.test.ts',
]

/** Every argument that says which files, of tools that read them, and of those that list alone. */
const choosing = choosingBy((entry) => entry.lists !== true)
const listing = choosingBy((entry) => entry.lists === true)

function choosingBy(isMeant: (entry: HookTool) => boolean) {
  return judged
    .filter(({ entry }) => isMeant(entry))
    .flatMap((one) => {
      const { reads, names } = one.entry
      return words(reads, names).map((member) => {
        return [`${one.host} ${one.tool}.${member}`, { ...one, member }] as const
      })
    })
}

describe('what chooses files', () => {
  test.each(choosing)('%s is judged as a path', (_, { host, tool, entry, member }) => {
    const isPattern = words(entry.names).includes(member)
    const withIt = (value: JsonValue) => asked(host, tool, { ...least(entry), [member]: value })
    for (const one of secrets.filter((text) => isPattern || !/[*?{]/.test(text))) {
      expect(withIt(one).concepts, one).toContain('secret.read')
      expect(withIt([one, 'src/a.ts']).concepts, one).toContain('secret.read')
      expect(withIt(one).args['input'], one).toHaveProperty(
        'digest',
        expect.stringMatching('keyed'),
      )
    }
    for (const one of outside) expect(withIt(one).concepts, one).toContain('read.outside')
    if (!isPattern) return
    for (const one of [...honest, `!.env`]) {
      expect(withIt(one).concepts, one).not.toContain('secret.read')
      expect(withIt(one).concepts, one).not.toContain('read.outside')
    }
    expect(withIt('*.ts,.env').concepts).toContain('secret.read')
    expect(withIt('*.ts .env').concepts).toContain('secret.read')
    expect(withIt('@(.env|a)').concepts).toContain('unknown.value')
  })

  test.each(choosing)(
    '%s: an address of a file is its path',
    (_, { host, tool, entry, member }) => {
      const withIt = (value: string) =>
        asked(host, tool, { ...least(entry), [member]: value }).concepts
      expect(withIt('file:///etc/passwd')).toContain('read.outside')
      expect(withIt('FILE://localhost/etc/passwd')).toContain('read.outside')
      expect(withIt(`file://${project}/%2eenv`)).toContain('secret.read')
      expect(withIt('file://elsewhere/etc/passwd')).toContain('unknown.value')
      expect(withIt('smb://elsewhere/x')).toContain('unknown.value')
    },
  )
})

describe('what lists alone', () => {
  test.each(listing)('%s shows names, and no secret', (_, { host, tool, entry, member }) => {
    const isPattern = words(entry.names).includes(member)
    const withIt = (value: JsonValue) => asked(host, tool, { ...least(entry), [member]: value })
    for (const one of [...secrets, ...honest].filter((text) => isPattern || !/[*?{]/.test(text))) {
      expect(withIt(one).concepts, one).not.toContain('secret.read')
    }
    for (const one of outside) {
      expect(withIt(one).concepts, one).toContain('read.outside')
    }
    for (const one of isPattern ? honest : []) {
      expect(withIt(one).concepts, one).toEqual(['read.inside'])
    }
    expect(withIt('file:///etc/passwd').concepts).toContain('read.outside')
    expect(withIt('smb://elsewhere/x').concepts).toContain('unknown.value')
  })
})

describe('the project', () => {
  test.each(choosing)('%s: is not where the call is made', (_, { host, tool, entry, member }) => {
    const { concepts } = asked(
      host,
      tool,
      { ...least(entry), [member]: 'config' },
      { cwd: '/srv/ann/.aws' },
    )
    expect(concepts).toContain('read.outside')
    expect(concepts).toContain('secret.read')
  })
})
