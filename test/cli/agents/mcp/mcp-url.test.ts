// `warrant mcp tools --url`: addresses of this machine only where that is asked for, and secrets by
// reference alone.
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { httpServer, json } from '../../../gateway/tools/http-server.ts'
import { answerTo } from '../../../gateway/tools/mcp-answers.mjs'

const secret = 'a token of the operator'
let cwd = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
})

async function listing(...more: readonly string[]) {
  const served = await httpServer(({ method, body }, response) => {
    if (method !== 'POST') return void response.writeHead(405).end()
    const answer = answerTo(JSON.parse(body))
    if (answer === null) response.writeHead(202).end()
    else json(response, answer)
  })
  const env = { WARRANT_SECRET_CRM: secret }
  const listed = await run(['mcp', 'tools', '--url', `${served.origin}/mcp`, ...more], { cwd, env })
  return { ...listed, served }
}

describe('the address of a server', () => {
  test('of this machine is not asked unless that is wanted', async () => {
    const { code, stderr, served } = await listing()
    expect(code).toBe(1)
    expect(stderr).toContain('url_blocked')
    expect(served.received).toEqual([])
    const { stdout } = await listing('--private')
    expect(stdout).toContain('"echo"')
  })

  test('gets the secrets of its headers, which the command line only names', async () => {
    const header = 'Authorization=Bearer ${secret:CRM}'
    const { code, stdout, stderr, served } = await listing('--private', '--header', header)
    expect(code).toBe(0)
    const sent = served.received.map(({ headers }) => headers.authorization)
    expect(new Set(sent)).toEqual(new Set([`Bearer ${secret}`]))
    expect(stdout + stderr).not.toContain(secret)
  })

  test('gets nothing where a secret is not there', async () => {
    const { code, stderr, served } = await listing('--private', '--header', 'X=${secret:NONE}')
    expect([code, served.received]).toEqual([1, []])
    expect(stderr).toContain('secret_missing')
  })
})

test.each([
  ['--header', 'X=1', '--', 'true'],
  ['--private', '--', 'true'],
  ['--url', 'https://mcp.example.com', '--header', 'X'],
  ['--url', 'https://mcp.example.com', '--header', 'X: 1=2'],
  ['--url', 'mcp.example.com'],
])('what cannot be meant is usage: %s %s %s %s', async (...more) => {
  expect((await run(['mcp', 'tools', ...more], { cwd })).code).toBe(2)
})
