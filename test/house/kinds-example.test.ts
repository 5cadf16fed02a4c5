// The worked example of CONTRIBUTING.md, "Add a kind of fact", is true: its edits are made in a
// copy of the code, and the new kind is in all that follows from the table of kinds.
import { execFile } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

interface Edit {
  readonly path: string
  /** What the text is put before; null for the end of the file. */
  readonly before: string | null
  readonly text: string
}

const fence = /```ts\n\s*\/\/ (\S+), (?:at the end|before "(.+)")\n([\s\S]*?)\s*```/g

async function editsOfExample(): Promise<readonly Edit[]> {
  const page = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8')
  const from = page.indexOf('## Add a kind of fact')
  const section = page.slice(from, page.indexOf('\n## ', from + 1))
  return [...section.matchAll(fence)].map(([, path = '', before, text = '']) => ({
    path,
    before: before ?? null,
    text,
  }))
}

async function copyOfCode(): Promise<string> {
  const copy = await temporaryFolder()
  for (const part of ['schemas', 'shared', 'package.json', 'tsconfig.json']) {
    await cp(join(root, part), join(copy, part), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  // What may miss a kind: all else reads the table.
  const include = ['schemas', 'shared/state', 'shared/stages', 'shared/present'].map(
    (part) => `${part}/**/*.ts`,
  )
  const narrow = { extends: './tsconfig.json', include }
  await writeFile(join(copy, 'tsconfig.narrow.json'), JSON.stringify(narrow))
  return copy
}

async function make(copy: string, { path, before, text }: Edit): Promise<void> {
  const file = join(copy, path)
  const old = await readFile(file, 'utf8')
  const at = before === null ? old.length : old.indexOf(before)
  expect(at, `${path} has ${before}`).not.toBe(-1)
  await writeFile(file, `${old.slice(0, at)}${text}\n${old.slice(at)}`)
}

/** The files that the compiler finds fault with. */
async function faultyFiles(copy: string): Promise<readonly string[]> {
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const output = await run(tsc, ['--noEmit', '-p', 'tsconfig.narrow.json'], { cwd: copy }).then(
    () => '',
    (error: unknown) => z.object({ stdout: z.string() }).parse(error).stdout,
  )
  return [...new Set([...output.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file]) => file))]
    .map(String)
    .toSorted()
}

const probe = `
import { nameOf, partsOf, shapesOf } from '#record/names'
import { namesBound } from '#record/roles'
import { generatedFiles } from '../../docs/generate/files.ts'
import { serverConfig } from '#log/nats-config/server-config'
import { phraseOf } from '#present/story/sentences'
import { writeEvent } from '#record/event'
const place = { realm: 'main', era: 1 }
const name = nameOf(place, 'appeal', 'bot.S.u1')
const files = generatedFiles()
const users = [{ role: 'agent', name: 'bot', publicKey: 'U' }]
const data = { intent: { address: 'bot.S.u1', agent: 'bot', session: 'S' }, note: 'no' }
const stamp = { source: 'agent/bot', time: '2026-01-01T00:00:00.000Z', basis: 0 }
console.log(JSON.stringify({
  address: partsOf(name, place)?.address,
  shapes: shapesOf(place),
  bound: namesBound('agent', place, 'bot'),
  schema: files.get('facts/appeal.json') ?? '',
  channels: Object.keys(JSON.parse(files.get('asyncapi.json')).channels),
  server: serverConfig({ realm: 'main', era: 1, users, listen: ':1', storeFolder: '/s' }),
  phrase: phraseOf({ name, bytes: writeEvent('appeal', name, data, stamp) }, 'main'),
}))
`

const Seen = z.object({
  address: z.string(),
  shapes: z.array(z.string()),
  bound: z.array(z.string()),
  schema: z.string(),
  channels: z.array(z.string()),
  server: z.string(),
  phrase: z.string(),
})

async function seenIn(copy: string): Promise<z.infer<typeof Seen>> {
  await writeFile(join(copy, 'probe.ts'), probe)
  const flags = ['--conditions=warrant-source', '--import', 'tsx', 'probe.ts']
  const { stdout } = await run(process.execPath, flags, { cwd: copy })
  return Seen.parse(JSON.parse(stdout))
}

describe.runIf(isFull)('the example of a new kind', () => {
  const inTable = /^schemas\//
  let copy: string
  let missing: readonly string[]

  beforeAll(async () => {
    copy = await copyOfCode()
    const edits = await editsOfExample()
    expect(edits).toHaveLength(6)
    for (const edit of edits) if (inTable.test(edit.path)) await make(copy, edit)
    missing = await faultyFiles(copy)
    for (const edit of edits) if (!inTable.test(edit.path)) await make(copy, edit)
  })

  test('lacks only the fold and the story once it is in the table, and the compiler reports them', () => {
    expect(missing).toEqual(['shared/present/story/sentences.ts', 'shared/state/fold/evolve.ts'])
  })

  test('is whole after the other edits', async () => {
    expect(await faultyFiles(copy)).toEqual([])
  })

  test('is in names, roles, documents, permissions and words', async () => {
    const seen = await seenIn(copy)
    expect(seen.address).toBe('bot.S.u1')
    expect(seen.shapes).toContain('main.1.appeal.*.*.*')
    expect(seen.bound).toContain('main.1.appeal.bot.*.*')
    expect(seen.schema).toContain('"title": "The agent appeals a denial"')
    expect(seen.channels).toContain('appeal')
    expect(seen.server).toContain('"main.in.9.appeal.bot.*.*"')
    expect(seen.phrase).toBe('appeals: “no”')
  })
})
