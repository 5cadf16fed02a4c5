// The command line on a log in a file whose callback module is not beside it: it names the module,
// nothing is decided, and all is as ever when the module is back.
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { sqliteLog } from '#log/sqlite/log'
import { keepModule } from '#authoring/callback-store'
import { run } from '../support/cli-runner.ts'
import { testRuntime } from '../support/runtime.ts'
import { deletion, erase } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const module = `export const open = () => ({ passed: true })`
const setup = {
  catalog: { capabilities: [erase] },
  graph: deletion({ name: 'open', requiresConfirmation: false, callback: 'open' }),
  module,
}

test('without the module a command says which and where, and gets no verdict', async () => {
  const folder = await temporaryFolder()
  await keepModule(folder, module)
  const path = join(folder, 'log.db')
  const { runtime } = await testRuntime({ ...setup, log: await sqliteLog(path), stages: [] })
  await runtime.stop()
  const warrant = (...args: readonly string[]) => run(['--log', path, ...args], { cwd: folder })
  const callbacks = join(folder, 'callbacks')

  await rename(callbacks, join(folder, 'elsewhere'))
  const without = await warrant('ask', 'erase', '--wait', '1', '--json')
  expect(without.code).toBe(4)
  expect(without.stderr).toContain(`\`${digestOf(module)}\` that the catalog pins is not in`)
  expect(without.stderr).toContain(callbacks)
  const { intent } = JSON.parse(without.stdout)

  await rename(join(folder, 'elsewhere'), callbacks)
  const another = await warrant('ask', 'erase')
  expect(another).toMatchObject({ code: 0, stderr: '' })
  const traced = await warrant('trace', intent, '--json')
  expect(traced.stdout).toContain('"outcome":"allow"')
  expect((await warrant('replay')).code).toBe(0)
})
