// The example of docs/agents/tokens.md in another language is run as it stands.
import { spawn, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import { jwksOf } from '#messages/warrants/jwk'
import { connect } from '#client/connect'
import { testKey } from '#testing/setup'
import { ended } from '../support/cli-process.ts'
import { testRuntime } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const python = process.env['WARRANT_PYTHON'] ?? 'python3'
const isHere = spawnSync(python, ['-c', 'import jwt']).status === 0
const page = fileURLToPath(new URL('../../docs/agents/tokens.md', import.meta.url))

async function example(): Promise<string> {
  const found = /```python\n([\s\S]*?)```/.exec(await readFile(page, 'utf8'))
  return found?.[1] ?? ''
}

test.runIf(isHere)('a program in Python verifies a token with the published keys', async () => {
  const privateKey = testKey('gate')
  const { runtime } = await testRuntime({
    catalog: {
      capabilities: [{ id: 'look', safetyClass: 'READ' }],
      principals: [
        { id: 'gate', roles: ['issuer'], keys: [publicKeyOf(privateKey)] },
        { id: 'side', roles: ['issuer'], keys: [publicKeyOf(testKey('side'))] },
      ],
    },
  })
  const client = await connect({ runtime, as: 'bot', issuer: { id: 'gate', privateKey } })
  const { intent } = await client.ask({ tool: 'look' })
  const token = await client.token(intent)
  const folder = await temporaryFolder()
  const [script, keys] = [join(folder, 'verify.py'), join(folder, 'keys.json')]
  await writeFile(script, await example())
  await writeFile(keys, JSON.stringify(jwksOf(runtime.follower.state.catalog)))
  const verified = (text: string, audience = 'warrant:main') =>
    ended(spawn(python, [script, text, keys, audience]))
  expect(await verified(token)).toMatchObject({ code: 0, stdout: 'bot look\n' })
  for (const [text, audience] of [
    [token, 'warrant:other'],
    [`${token.slice(0, -4)}AAAA`, 'warrant:main'],
    [token.replace(/^[^.]+/, Buffer.from('{"alg":"none"}').toString('base64url')), 'warrant:main'],
  ] as const) {
    expect((await verified(text, audience)).code).not.toBe(0)
  }
  await client.close()
  await runtime.stop()
})
