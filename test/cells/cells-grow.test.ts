// What a realm of one log knows is carried into a realm of cells by the steps of the documents.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli-runner.ts'
import { canStartNats, startNats } from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const wide = ['--realm', 'wide']

test.skipIf(!canStartNats)('graph and catalog of one log begin a realm of cells', async () => {
  const server = await startNats()
  const cwd = await temporaryFolder()
  const env = { WARRANT_LOG: server.url }
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(args, { cwd, env })
    expect({ args, code, stderr }).toMatchObject({ code: 0 })
    return stdout
  }
  const seeded = async (name: string, content: object): Promise<void> => {
    await mkdir(join(cwd, 'one'), { recursive: true })
    await writeFile(join(cwd, 'one', name), JSON.stringify(content))
  }
  await run(['keys', 'new', 'olga'], { cwd })
  await done('nats', 'init')
  const depths = [{ level: 0 }, { level: 1, properties: { is: 'bytes under a name' } }]
  await seeded('graph.json', { primitives: [{ name: 'file', depths }] })
  await seeded('catalog.json', {
    principals: [{ id: 'olga' }, { id: 'bot', owner: 'olga' }],
    capabilities: [{ id: 'look', safetyClass: 'READ', concepts: ['file'] }],
  })
  await done('seed', 'one', '--as', 'olga', '--yes')

  await mkdir(join(cwd, 'wide'))
  await done('graph', 'export', 'wide/graph.json')
  await done('catalog', 'export', 'wide/catalog.json')
  const file = join(cwd, 'wide', 'catalog.json')
  const catalog = { ...JSON.parse(await readFile(file, 'utf8')), cells: 2 }
  await writeFile(file, JSON.stringify(catalog))
  await done('nats', 'init', ...wide, '--cells', '2')
  await done('seed', 'wide', ...wide, '--as', 'olga', '--yes')

  expect(JSON.parse(await done('graph', 'show', '--json', ...wide))).toEqual(
    JSON.parse(await done('graph', 'show', '--json')),
  )
  // A cell gets what the control log has from the server, and that takes it a moment.
  const wanted = { ...JSON.parse(await done('catalog', 'show', '--json')), cells: 2 }
  const shown = async (): Promise<unknown> =>
    JSON.parse(await done('catalog', 'show', '--json', '--realm', 'wide-c1'))
  await expect.poll(shown).toEqual(wanted)
  await server.dispose()
})
