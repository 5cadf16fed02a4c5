// A log that says it were one of several cells would have no agent in it: that is refused before
// anything is signed.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a file is one log, and its catalog states no cells', async () => {
  const cwd = await temporaryFolder()
  const env = { WARRANT_LOG: join(cwd, 'log.db') }
  const write = async (content: object): Promise<void> => {
    await mkdir(join(cwd, 'seed'), { recursive: true })
    await writeFile(join(cwd, 'seed', 'catalog.json'), JSON.stringify(content))
  }
  await run(['init'], { cwd, env })
  await write({ cells: 2, principals: [{ id: 'olga' }, { id: 'bot', owner: 'olga' }] })
  const refused = await run(['seed', 'seed', '--json'], { cwd, env })
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'cells_fixed' } })
  expect(refused.stdout).toContain('has one log')
  await write({ principals: [{ id: 'olga' }, { id: 'bot', owner: 'olga' }] })
  expect((await run(['seed', 'seed', '--json'], { cwd, env })).code).toBe(0)
})
