// Envoy itself lets through what the decision point allows, and nothing else: with the settings of
// docs/agents/authzen.md.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { envoyBefore, hasEnvoy } from '../../support/servers/envoy.ts'
import { decisionPoint, type Catalog } from './decision-point.ts'

const catalog: Catalog = {
  principals: [
    {
      id: 'gate',
      via: ['http'],
      evaluates: { subjects: [{ type: 'user', who: { role: 'staff' } }] },
    },
    { id: 'ann', roles: ['staff'] },
  ],
  capabilities: [
    {
      id: 'todo.read',
      safetyClass: 'READ',
      argsSchema: { type: 'object' },
      requests: [{ method: 'GET', path: '/todos/{id}' }],
    },
  ],
}

/** The settings of the page, for that server and token. */
async function settingsOf(url: string, token: string): Promise<object> {
  const page = await readFile('docs/agents/authzen.md', 'utf8')
  const [, block = ''] = /```yaml\n([^]*?)```/.exec(page) ?? []
  const filled = block.replace('http://127.0.0.1:7718', url).replace('wrt_…', token)
  expect(filled).toContain(token)
  return z.looseObject({}).parse(parse(filled))
}

test.skipIf(!hasEnvoy)('Envoy lets through what is allowed, and nothing else', async () => {
  const point = await decisionPoint(catalog)
  const proxy = await envoyBefore(point.url, await settingsOf(point.url, point.token))
  const status = async (path: string, subject: string | null, method = 'GET') => {
    const headers = subject === null ? {} : { 'x-warrant-subject': subject }
    return (await fetch(`${proxy}${path}`, { method, headers })).status
  }
  expect(await status('/todos/1', 'ann')).toBe(200)
  expect(await status('/todos/1', 'eve')).toBe(403)
  expect(await status('/todos/1', null)).toBe(403)
  expect(await status('/todos/1', 'ann', 'DELETE')).toBe(403)
  expect(await status('/other', 'ann')).toBe(403)
  expect(await status('/todos//1', 'ann')).toBe(403)
  await point.stop()
  expect(await status('/todos/1', 'ann')).toBe(403)
})
