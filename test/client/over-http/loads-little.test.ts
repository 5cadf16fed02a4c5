// A program that asks over HTTP loads no driver of a log and no server.
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { expect, test } from 'vitest'

const layers = { schemas: 'schemas', services: 'services' }
const loads = /^(?:import|export)\s(?!type\b)[^;'"]*?from '(?<name>[^']+)'/gm

function fileOf(name: string, from: string): string | null {
  if (name.startsWith('.')) return posix.join(posix.dirname(from), name)
  const [, layer = '', rest = ''] = /^#(\w+)\/(.+)$/.exec(name) ?? []
  if (layer === '') return null
  if (layer === 'platform') return `shared/record/platform/${rest}-node.ts`
  return `${Object.hasOwn(layers, layer) ? layer : `shared/${layer}`}/${rest}.ts`
}

test('the client over HTTP stands on three packages', async () => {
  const files = new Set(['services/client/over-http/connect-http.ts'])
  const packages = new Set<string>()
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    for (const { groups } of text.matchAll(loads)) {
      const name = groups?.['name'] ?? ''
      const target = fileOf(name, file)
      if (target !== null) files.add(target)
      else if (!name.startsWith('node:')) packages.add(name)
    }
  }
  expect([...packages].toSorted()).toEqual(['lru-cache', 'ulid', 'zod'])
  expect([...files].filter((file) => /adapters\/(?!system)/.test(file))).toEqual([])
})
