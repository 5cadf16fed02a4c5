// What waits to be applied: the folder beside the log, the rules, and what hooks need of a log.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { emptyGraph } from '#knowledge/graph/revision'
import { newestRules } from '#rules/catalog/rules-version'
import { applyFindings } from '#cli/run/doctor/catalog'
import { run } from '../../../support/cli-runner.ts'
import { put } from '../../../support/edits.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

interface Found {
  readonly check: string
  readonly about: string
  readonly status: string
  readonly found: string
  readonly fix: string | null
}

async function begun() {
  const cwd = await temporaryFolder()
  expect(await run(['init'], { cwd })).toMatchObject({ code: 0 })
  const file = join(cwd, 'warrant/catalog.json')
  return {
    warrant: (...args: readonly string[]) => run(args, { cwd }),
    knows: (principal: { readonly id: string; readonly owner: string }) =>
      put('principals', [principal], { cwd }),
    found: async (): Promise<readonly Found[]> => {
      const { stdout } = await run(['doctor', '--json'], { cwd })
      const { findings }: { readonly findings: readonly Found[] } = JSON.parse(stdout)
      return findings.filter(({ check }) => check === 'apply')
    },
    edit: async (change: (catalog: ReturnType<typeof JSON.parse>) => void): Promise<void> => {
      const catalog = JSON.parse(await readFile(file, 'utf8'))
      change(catalog)
      await writeFile(file, JSON.stringify(catalog))
    },
    write: (text: string) => writeFile(file, text),
  }
}

test('a folder that says more than the log is reported until it is applied', async () => {
  const { warrant, knows, found, edit, write } = await begun()
  const nothing = [{ status: 'ok', found: 'nothing waits to be applied', fix: null }]
  expect(await found()).toMatchObject(nothing)
  // What only the log has is no matter of the folder.
  expect(await knows({ id: 'other', owner: 'you' })).toMatchObject({ code: 0 })
  expect(await found()).toMatchObject(nothing)
  await edit(({ capabilities }) => capabilities.push({ id: 'look', safetyClass: 'READ' }))
  const due = await found()
  expect(due).toMatchObject([{ status: 'warning', about: 'warrant' }])
  expect(due[0]?.found).toContain('1 change')
  const [, command = ''] = /(`warrant apply .*?`)/.exec(due[0]?.fix ?? '') ?? []
  expect(command).toBe('`warrant apply warrant`')
  expect(await warrant('apply', 'warrant')).toMatchObject({ code: 0 })
  expect(await found()).toMatchObject(nothing)
  await write('{"capabilities":[{"id":1}]}')
  expect(await found()).toMatchObject([
    { status: 'warning', found: expect.stringContaining('it cannot be applied: ') },
  ])
})

function stateOf(catalog: object) {
  const { catalog: made, refused } = catalogFromFile(catalog)
  if (made === undefined) throw new Error(refused.message)
  return { catalog: made, graph: emptyGraph, catalogRevision: 1 }
}

test('a log under older rules is reported with the newest, and how it comes to them', async () => {
  expect(await applyFindings(stateOf({ rules: newestRules }), null)).toMatchObject([
    { status: 'ok' },
  ])
  expect(await applyFindings(stateOf({ rules: newestRules - 1 }), null)).toMatchObject([
    {
      status: 'warning',
      about: 'rules',
      found: expect.stringContaining(`version ${newestRules - 1} of the rules`),
      fix: expect.stringContaining(`"rules": ${newestRules}`),
    },
  ])
})

test('a log that hooks ask, and that lacks what they bind, is reported for each seed', async () => {
  const served = { id: 'coder', via: ['hook'] }
  const bare = { rules: newestRules, principals: [served] }
  const due = await applyFindings(stateOf(bare), null)
  expect(due.map(({ about }) => about)).toEqual(['hooks', 'hooks'])
  expect(due.map(({ fix }) => fix)).toEqual([
    expect.stringMatching(/^`warrant apply .*seeds.shell`$/),
    expect.stringMatching(/^`warrant apply .*seeds.hooks`$/),
  ])
  const members = ['input', 'excerpt', 'whole']
  const declaring = (these: readonly string[]) => {
    const properties = Object.fromEntries(these.map((name) => [name, {}]))
    const argsSchema = { type: 'object', properties }
    const capabilities = ['shell.run', 'file.write'].map((id) => {
      return { id, safetyClass: 'WRITE', argsSchema }
    })
    return applyFindings(stateOf({ ...bare, capabilities }), null)
  }
  expect(await declaring(members)).toMatchObject([{ status: 'ok' }])
  for (const one of members) {
    expect(await declaring(members.filter((name) => name !== one))).toHaveLength(2)
  }
})
