// What the doctor says of a log's own facts: those that count for nothing, and the callback module
// that its catalog pins.
import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { run } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let cwd = ''

beforeAll(async () => {
  cwd = await temporaryFolder()
  await run(['init'], { cwd })
  await writeFile(
    join(cwd, 'warrant/callbacks.ts'),
    'export const fine = () => ({ passed: true })\n',
  )
  expect(await run(['seed', 'warrant'], { cwd })).toMatchObject({ code: 0 })
})

async function found(folder: string, check: string): Promise<readonly unknown[]> {
  const { stdout } = await run(['doctor', '--json'], { cwd: folder })
  const { findings } = JSON.parse(stdout)
  return findings.flatMap(({ check: is, status, about, found: said }: Record<string, string>) =>
    is === check ? [{ status, about, said }] : [],
  )
}

/** The log alone, as someone copies it. */
async function copied(): Promise<string> {
  const folder = await temporaryFolder()
  const copy = () => cp(join(cwd, '.warrant'), join(folder, '.warrant'), { recursive: true })
  // A command that ran before may close its files only now, and one of them is then gone.
  await copy().catch(copy)
  return folder
}

test('where every fact counts, it reports it', async () => {
  expect(await found(cwd, 'void')).toMatchObject([{ status: 'ok' }])
})

test('facts that count for nothing are counted by kind, and the latest are named', async () => {
  const folder = await copied()
  const log = await sqliteLog(join(folder, '.warrant/log.db'))
  const junk = ['catalog.7', 'rate.a.b.1', 'rate.a.b.2', 'rate.a.b.3', 'nothing']
  for (const name of junk) {
    await log.append({ name: `main.1.${name}`, bytes: Buffer.from('{}') })
  }
  await log.append({ name: 'other.1.catalog.1', bytes: Buffer.from('{}') })
  await log.close()
  const [finding] = await found(folder, 'void')
  expect(finding).toMatchObject({ status: 'warning', about: 'main.1.nothing' })
  const said = JSON.stringify(finding)
  expect(said).toContain('5 facts count for nothing: 3 rate, 1 catalog, 1 nothing')
  for (const name of junk.slice(2)) expect(said).toContain(`main.1.${name} at`)
  expect(said).not.toContain('main.1.catalog.7 at')
})

test('the module that the catalog pins is named where it is not beside the log', async () => {
  expect(await found(cwd, 'callbacks')).toMatchObject([{ status: 'ok' }])
  const folder = await copied()
  const modules = join(folder, '.warrant/callbacks')
  const [module = ''] = await readdir(modules)
  await writeFile(join(modules, module), 'export const fine = () => ({ passed: false })\n')
  expect(await found(folder, 'callbacks')).toMatchObject([{ status: 'failure' }])
  await rm(modules, { recursive: true })
  const [missing] = await found(folder, 'callbacks')
  expect(missing).toMatchObject({ status: 'failure', about: `sha256:${module.split('.')[0]}` })
  expect(JSON.stringify(missing)).toContain(modules)
})
