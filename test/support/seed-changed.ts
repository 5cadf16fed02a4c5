// Changes the catalog in a folder as `warrant init` begins one, and applies it.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { run } from './cli-runner.ts'

type Change = (catalog: ReturnType<typeof JSON.parse>) => void | Promise<void>

export async function seedChanged(cwd: string, change: Change): Promise<void> {
  const file = join(cwd, 'warrant/catalog.json')
  const catalog = JSON.parse(await readFile(file, 'utf8'))
  await change(catalog)
  await writeFile(file, JSON.stringify(catalog))
  expect(await run(['seed', 'warrant'], { cwd })).toMatchObject({ code: 0 })
}
