// `warrant console` beside `warrant up console`, as people use them: a passkey is made by a link
// and signed into the catalog, a link lets someone look once, digests differ for changed files.
import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { consoleApi } from '#schemas/console/routes'
import {
  ConsoleSession,
  EnrolmentAnswer,
  PasskeyAsked,
  PasskeyToMake,
} from '#schemas/console/people'
import type { PageFiles } from '#console/pages'
import { ended, says, start } from '../../support/cli-process.ts'
import { run } from '../../support/cli-runner.ts'
import { assertionFor } from '../../support/people/authenticator.ts'
import { put } from '../../support/edits.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { madeFor } from '../../console/console-scene.ts'
import { soft } from '../../people/passkey-scene.ts'
import { pageFiles } from '../../support/browser/page-files.ts'

const mine = ['--key', 'you', '--yes']

function started(args: readonly string[], cwd: string): ChildProcess {
  const child = start(args, { cwd })
  endWithTest(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  })
  return child
}

/** All that the process has written so far. */
function linesOf(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  }
  return () => text
}

/** A log with ann, who is no one’s agent, and a console on it. */
async function served(): Promise<{ readonly cwd: string; readonly url: string }> {
  const cwd = await temporaryFolder()
  await run(['init'], { cwd })
  await put('principals', [{ id: 'ann' }], { cwd })
  const lines = linesOf(started(['up', 'console', '--listen', '0'], cwd))
  const ready = () => /"open":"(http:[^"]+)".*"msg":"console ready"/.exec(lines())?.[1]
  await expect.poll(ready).toBeDefined()
  return { cwd, url: ready() ?? '' }
}

async function posted(url: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}${consoleApi}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  })
}

const secretIn = (text: string, view: string): string =>
  new RegExp(`#${view}=(?<secret>\\S+)`).exec(text)?.groups?.['secret'] ?? ''

test('a passkey is made by the link, compared, signed, listed, and signs in', async () => {
  const { cwd, url } = await served()
  const enrol = started(['console', 'enrol', 'ann', '--url', url, ...mine], cwd)
  const done = ended(enrol)
  const lines = linesOf(enrol)
  await says(enrol, 'stdout', '#enrol=')
  const secret = secretIn(lines(), 'enrol')
  // The server follows the log of another process, which names the console in the catalog.
  const begin = (): Promise<Response> => posted(url, '/enrol/begin', { secret })
  await expect.poll(async () => (await begin()).status).toBe(200)
  const begun = await begin()
  const { challenge, rp } = PasskeyToMake.parse(await begun.json())
  expect(rp.id).toBe('localhost')
  const at = { id: 'here', rpId: 'localhost', origins: [url] }
  const made = madeFor('quin', Buffer.from(challenge, 'base64url'), at)
  const completed = await posted(url, '/enrol/complete', { secret, ...made, label: 'phone' })
  const { fingerprint } = EnrolmentAnswer.parse(await completed.json())
  const { code, stdout } = await done
  expect([code, stdout]).toEqual([0, expect.stringContaining(`ann signs with ${fingerprint}`)])

  const listed = await run(['console', 'enrolments', '--json'], { cwd })
  expect(JSON.parse(listed.stdout)).toMatchObject({
    consoles: [{ rpId: 'localhost', origins: [url] }],
    passkeys: [{ person: 'ann', fingerprint, label: 'phone', suspended: false }],
  })
  expect((await run(['console', 'enrolments'], { cwd })).stdout).toContain(String(fingerprint))

  const signedIn = async (): Promise<number> => {
    const asked = PasskeyAsked.parse(await (await posted(url, '/sign-in/passkey/begin', {})).json())
    const assertion = assertionFor(soft.quin, Buffer.from(asked.challenge, 'base64url'), { at })
    return (await posted(url, '/sign-in/passkey/complete', { assertion })).status
  }
  await expect.poll(signedIn).toBe(200)
})

test('a link lets someone look once, and no agent, for an hour at most', async () => {
  const { cwd, url } = await served()
  const at = ['--url', url, '--key', 'you']
  const made = await run(['console', 'link', 'ann', ...at, '--json'], { cwd })
  expect(made.code).toBe(0)
  const { link, person } = JSON.parse(made.stdout)
  expect([person, new URL(link).origin]).toEqual(['ann', url])
  const secret = secretIn(link, 'link')
  const looked = await posted(url, '/sign-in/link', { secret })
  const session = ConsoleSession.parse(await looked.json())
  expect(session.person).toMatchObject({ id: 'ann', by: 'link', passkeys: [] })
  expect((await posted(url, '/sign-in/link', { secret })).status).toBe(401)
  for (const [of, more, code, why] of [
    ['my-agent', [], 1, 'its owner uses the console'],
    ['stranger', [], 1, 'no principal `stranger`'],
    ['ann', ['--for', '2h'], 2, 'an hour at most'],
  ] as const) {
    const refused = await run(['console', 'link', of, ...at, ...more], { cwd })
    expect([of, refused.code, refused.stdout]).toEqual([of, code, ''])
    expect(refused.stderr).toContain(why)
  }
})

test('without a console there, enrolling says how to start one', async () => {
  const cwd = await temporaryFolder()
  await run(['init'], { cwd })
  await put('principals', [{ id: 'ann' }], { cwd })
  const nowhere = ['--url', 'http://localhost:9', ...mine]
  const { code, stderr } = await run(['console', 'enrol', 'ann', ...nowhere], { cwd })
  expect([code, stderr]).toEqual([1, expect.stringContaining('warrant up console')])
})

/** A server that gives those files as the page. */
async function serving(files: PageFiles): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const file = files.get(url)
    response.writeHead(file === undefined ? 404 : 200).end(file?.bytes)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  endWithTest(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
}

test('digests are those of the files that are served, and differ for a changed one', async () => {
  const cwd = await temporaryFolder()
  const files = await pageFiles()
  const printed = await run(['console', 'digest', '--json'], { cwd })
  const { files: all } = JSON.parse(printed.stdout)
  expect(new Map(all.map(({ path, digest }: Record<string, string>) => [path, digest]))).toEqual(
    new Map([...files].map(([path, { digest }]) => [path, digest])),
  )
  const honest = ['console', 'digest', '--url', await serving(files)]
  const same = await run(honest, { cwd })
  expect([same.code, same.stdout.match(/ same$/gm)?.length]).toEqual([0, files.size])
  const script = files.get('/console.js')
  const bytes = Buffer.concat([script?.bytes ?? Buffer.of(), Buffer.from(';')])
  const changed = new Map([...files, ['/console.js', { type: '', digest: '', ...script, bytes }]])
  changed.delete('/icon.svg')
  const captured = await run(['console', 'digest', '--url', await serving(changed)], { cwd })
  expect([captured.code, captured.stdout.match(/\S+ {2}DIFFERS$/gm)]).toEqual([
    5,
    ['/console.js  DIFFERS', '/icon.svg  DIFFERS'],
  ])
})
