// `warrant up http` and `warrant tokens` as people use them: from nothing to a verdict, over a
// server that is killed, until a login is taken back.
import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { expect, test } from 'vitest'
import { runChild, start } from '../../../support/cli-process.ts'
import { run } from '../../../support/cli-runner.ts'
import { put } from '../../../support/edits.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { endWithTest } from '../../../support/vitest/endings.ts'

/** Starts it, and gives the address of its one line that it is ready. */
async function served(
  cwd: string,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = start(['up', 'http', '--listen', '0'], { cwd })
  const ended = once(child, 'exit')
  endWithTest(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let lines = ''
  // It goes on to be read: a process whose lines no one takes would end.
  child.stderr?.on('data', (chunk: Buffer) => (lines += chunk.toString()))
  const ready = () => /"listen":"(http:[^"]+)".*"msg":"http ready"/.exec(lines)?.[1]
  await expect.poll(ready).toBeDefined()
  return { child, url: ready() ?? '' }
}

test('from nothing to a verdict, and over a server that is killed', async () => {
  const cwd = await temporaryFolder()
  await run(['init'], { cwd })
  const made = await runChild(['tokens', 'create', 'my-agent', '--name', 'laptop'], { cwd })
  const token = made.stdout.trim()
  expect([made.code, token]).toEqual([0, expect.stringMatching(/^wrt_[\w-]{43}$/)])
  expect(made.stderr).toContain('is not shown again')
  const ask = async (url: string, key: string) => {
    const response = await fetch(`${url}/v1/intents`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({
        tool: 'send_email',
        args: { to: 'ann@example.org' },
        justification: 'Ann asked for her invoice',
      }),
    })
    return { status: response.status, body: Object(await response.json()) }
  }
  const first = await served(cwd)
  const { status, body } = await ask(first.url, 'k1')
  expect([status, body.outcome]).toEqual([200, 'allow'])
  const gone = once(first.child, 'exit')
  first.child.kill('SIGKILL')
  await gone
  const second = await served(cwd)
  expect((await ask(second.url, 'k1')).body).toEqual(body)
  const list = await run(['tokens', 'list', '--json'], { cwd })
  const [entry] = JSON.parse(list.stdout)
  expect(entry).toMatchObject({ principal: 'my-agent', name: 'laptop', state: 'good' })
  expect(list.stdout).not.toContain(token)
  expect((await run(['tokens', 'revoke', entry.id], { cwd })).code).toBe(0)
  expect(await ask(second.url, 'k2')).toMatchObject({
    status: 401,
    body: { code: 'caller_refused', reason: 'token_revoked' },
  })
  const stopped = once(second.child, 'exit')
  second.child.kill('SIGTERM')
  expect(await stopped).toEqual([0, null])
})

test('a login is made only for whom the server would speak', async () => {
  const cwd = await temporaryFolder()
  await run(['init'], { cwd })
  for (const [principal, why] of [
    ['you', 'decides for others'],
    ['no-one', 'does not know it'],
  ] as const) {
    const { code, stdout, stderr } = await run(['tokens', 'create', principal], { cwd })
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(why)])
  }
  await put('principals', [{ id: 'my-agent', via: undefined }], { cwd })
  const refused = await run(['tokens', 'create', 'my-agent'], { cwd })
  const fix = 'put `"via": ["http"]` into the principal `my-agent` of warrant/catalog.json'
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(fix)])
  // The file has it from the beginning.
  expect(await run(['apply', 'warrant'], { cwd })).toMatchObject({ code: 0 })
  expect((await run(['tokens', 'create', 'my-agent', '--expires', '1h'], { cwd })).code).toBe(0)
})

const vouched = ['--oidc-issuer', 'https://login.example']

test('what cannot be meant is refused as usage', async () => {
  const cwd = await temporaryFolder()
  await run(['init'], { cwd })
  for (const args of [
    ['tokens', 'create', 'my-agent', '--expires', '0d'],
    ['tokens', 'create', 'my-agent', '--expires', 'soon'],
    ['up', 'http', '--listen', '0.0.0.0:0'],
    ['up', 'http', '--tls-cert', 'cert.pem'],
    ['up', 'http', '--origin', 'https://app.example/'],
    ['up', 'http', '--url', 'ftp://warrant.example'],
    ['up', 'http', '--rate', '0'],
    ['up', 'http', '--oidc-audience', 'warrant'],
    ['up', 'http', '--oidc-client', 'warrant'],
    ['up', 'http', ...vouched],
    ['up', 'http', '--oidc-issuer', 'http://login.example', '--oidc-audience', 'warrant'],
    ['up', 'http', ...vouched, '--oidc-audience', 'a', '--oidc-client-secret', 'file'],
    ['up', 'http', ...vouched, '--oidc-audience', 'same', '--oidc-client', 'same'],
    ['up', 'http', ...vouched, '--oidc-client', 'c', '--url', 'http://warrant.example'],
    ['up', 'http', ...vouched, '--oidc-client', 'c', '--listen', '192.0.2.1:7718'],
  ]) {
    expect([args, (await run(args, { cwd })).code]).toEqual([args, 2])
  }
})
