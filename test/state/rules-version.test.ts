// The version of the rules stands in the catalog: without a word of it, it stays; what a program
// does not know, it refuses to run under, and reports it.
import { describe, expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile, catalogToFile } from '#rules/catalog/catalog-file'
import { catalogOperationsBetween } from '#rules/catalog/catalog-difference'
import { newestRules } from '#rules/catalog/rules-version'
import { nameOf } from '#record/names'
import { run } from '../support/cli-runner.ts'
import { changeCatalog, keys } from '../support/runtime.ts'
import {
  another,
  bind,
  judged,
  look,
  place,
  replayed,
  scene,
  type Scene,
} from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const unknown = newestRules + 1

/** Binds what a newer program may have bound: the same catalog, under rules that it knows. */
async function upgraded(on: Scene): Promise<void> {
  const operations = [{ op: 'set', key: 'rules', value: unknown }]
  const content = { revision: 2, by: 'root', operations }
  await bind(on.log, 'catalog', nameOf(place, 'catalog', 2), content, keys.root)
}

describe('rules that this program does not know', () => {
  test('stop a runtime that meets them, without a verdict', async () => {
    const on = await scene({ catalog: { capabilities: [look] } })
    expect((await judged(on, { intent: { tool: 'look' } })).outcome).toBe('allow')
    await upgraded(on)
    expect(await on.runtime.follower.failed).toMatchObject({ code: 'rules_unknown' })
    await expect(on.bot.ask({ tool: 'look' })).rejects.toMatchObject({ code: 'rules_unknown' })
  })

  test('let none begin, and nothing replay', async () => {
    const on = await scene({ catalog: { capabilities: [look] } })
    await upgraded(on)
    await expect(another(on)).rejects.toMatchObject({ code: 'rules_unknown' })
    await expect(replayed(on)).rejects.toThrow('use a newer one')
  })

  test('are not put into a catalog by this program', async () => {
    const on = await scene({ catalog: { capabilities: [look] } })
    const change = changeCatalog(on.runtime, { op: 'set', key: 'rules', value: unknown })
    await expect(change).rejects.toMatchObject({ code: 'rules_unknown' })
    expect((await judged(on, { intent: { tool: 'look' } })).outcome).toBe('allow')
  })
})

describe('the version of the rules', () => {
  test('is 1 where it was never set', () => {
    expect(emptyCatalog.rules).toBe(1)
  })

  test('is the newest in a file that does not name it, and stays in a log', () => {
    const catalog = { ...emptyCatalog, rules: 7 }
    const file = { principals: [] }
    expect(catalogFromFile(file).catalog?.rules).toBe(newestRules)
    expect(catalogFromFile(file, { ...catalog, rules: 3 }).catalog?.rules).toBe(3)
    expect(catalogToFile(catalog).rules).toBe(7)
    expect(catalogOperationsBetween(emptyCatalog, catalog)).toEqual([
      { op: 'set', key: 'rules', value: 7 },
    ])
  })

  test('of a new log is the newest, and seeding again changes nothing', async () => {
    const cwd = await temporaryFolder()
    expect(await run(['init'], { cwd })).toMatchObject({ code: 0 })
    const shown = await run(['catalog', 'show', '--json'], { cwd })
    expect(JSON.parse(shown.stdout)).toMatchObject({ rules: newestRules })
    expect((await run(['seed', 'warrant'], { cwd })).stdout).toContain('up to date')
  })
})
