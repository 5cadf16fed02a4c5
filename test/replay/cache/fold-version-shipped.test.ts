// The version of the fold in what is shipped: that of the chunks, whose every byte counts.
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environmentFor } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { shippedPackage } from '../../support/vitest/built.ts'

test('a character more in what is bundled is another fold, and a copy is the same', async () => {
  const cwd = await temporaryFolder()
  const copy = join(await temporaryFolder(), 'package')
  for (const name of ['package.json', 'seeds', 'dist/chunks', 'dist/services', 'dist/shared']) {
    cpSync(join(shippedPackage(), name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(copy, 'node_modules'))
  const ran = (folder: string, ...words: readonly string[]): string => {
    const command = [join(folder, 'dist/services/cli/main.js'), ...words]
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      cwd,
      env: environmentFor({ cwd }),
      encoding: 'utf8',
    })
    expect({ words, status, stderr: status === 0 ? '' : stderr }).toEqual({
      words,
      status: 0,
      stderr: '',
    })
    return stdout
  }
  const foldOf = (folder: string): unknown => {
    const { path }: { path: string } = JSON.parse(ran(folder, 'log', 'snapshot', '--json'))
    const [head = ''] = readFileSync(path, 'utf8').split('\n', 1)
    return /"fold":"(sha256:[0-9a-f]{64})"/.exec(head)?.[1]
  }
  ran(copy, 'init')
  const shipped = foldOf(shippedPackage())
  expect(shipped).toBeTypeOf('string')
  expect(foldOf(copy)).toBe(shipped)
  appendFileSync(join(copy, 'dist/chunks/wink-lemmatizer.cjs'), '//')
  expect(foldOf(copy)).not.toBe(shipped)
})
