// `warrant up console` on a realm of two cells on a server: a person signs in by a link, and
// answers what each cell asks with a passkey.
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { Prepared } from '#schemas/console/authoring'
import { ConsoleSession } from '#schemas/console/people'
import { CardAnswer, InboxAnswer } from '#schemas/console/reviews'
import { consoleApi } from '#schemas/console/routes'
import { Principal } from '#schemas/catalog'
import { commands, type Commands } from '../../cells/commands.ts'
import { assertionFor } from '../../support/people/authenticator.ts'
import { changeCatalog } from '../../support/runtime.ts'
import { bound } from '../../support/scene.ts'
import { canStartNats } from '../../support/servers/nats-server.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { soft } from '../../people/passkey-scene.ts'

/** Starts it, and gives where browsers address it. */
async function served(on: Commands): Promise<string> {
  const child = on.started('up', 'console', '--listen', '0')
  const ended = once(child, 'exit')
  endWithTest(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let lines = ''
  child.stderr?.on('data', (chunk: Buffer) => (lines += chunk.toString()))
  const ready = () => /"open":"(http:[^"]+)".*"cells":2.*"msg":"console ready"/.exec(lines)?.[1]
  await expect.poll(ready).toBeDefined()
  return ready() ?? ''
}

test.skipIf(!canStartNats)('one console answers for both cells of a realm', async () => {
  const on = await commands()
  endWithTest(() => on.at.dispose())
  const url = await served(on)
  const at = { id: 'here', rpId: 'localhost', origins: [url] }
  const { passkey } = soft.olga
  await changeCatalog(
    on.at.control.runtime,
    { op: 'set', key: 'consoles', value: [at] },
    {
      op: 'put',
      collection: 'principals',
      entry: Principal.parse({ id: 'olga', passkeys: [passkey] }),
    },
  )
  const intents = [await on.waiting(1), await on.waiting(0)]
  const [{ link }] = await on.printed('console', 'link', 'olga', '--url', url, '--as', 'root')
  const secret = new URL(link).hash.replace('#link=', '')
  const entered = await post(`${url}${consoleApi}/sign-in/link`, { secret }, { origin: url })
  const { person } = ConsoleSession.parse(await entered.json())
  const cookie = entered.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const headers = { cookie, origin: url, 'x-csrf-token': person?.csrf ?? '' }
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${url}${consoleApi}${path}`, { headers })).json()
  const waiting = InboxAnswer.parse(await get('/inbox'))
  expect(waiting.open.map(({ intent }) => intent)).toEqual(intents)
  expect(waiting.position).toMatch(/^c0\.\d+,c1\.\d+$/)
  for (const [index, intent] of intents.entries()) {
    const { review } = CardAnswer.parse(await get(`/inbox/${intent}`))
    const body = { answers: review.questions.map(() => true), digest: review.digest }
    const path = `${url}${consoleApi}/reviews/${intent}`
    const prepared = await post(`${path}/prepare`, body, headers)
    const { toSign } = Prepared.parse(await prepared.json())
    const challenge = Buffer.from(toSign.challenge, 'base64url')
    const signature = assertionFor(soft.olga, challenge, { at, origin: url })
    const signed = { of: toSign.of, data: toSign.data, signature }
    const submitted = await post(`${path}/submit`, { ...body, signed }, headers)
    expect([submitted.status, intent]).toEqual([200, intent])
    const cell = 1 - index
    await bound(on.logIn(cell), `main-c${cell}.1.verdict.${intent}`)
  }
  expect(InboxAnswer.parse(await get('/inbox')).count).toBe(0)
  const ready = await (await fetch(`${url}/readyz`)).json()
  expect(ready).toMatchObject({ ready: true, cells: 2 })
})

function post(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const all = { 'content-type': 'application/json', ...headers }
  return fetch(url, { method: 'POST', headers: all, body: JSON.stringify(body) })
}
