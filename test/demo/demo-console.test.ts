// The demo with a console, end to end: what was played waits for the person at the browser, who
// makes a passkey by the link and answers with it.
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { consoleApi } from '#schemas/console/routes'
import {
  ConsoleSession,
  EnrolmentAnswer,
  PasskeyAsked,
  PasskeyToMake,
} from '#schemas/console/people'
import { CardAnswer, InboxAnswer, PreparedAnswer } from '#schemas/console/reviews'
import { start } from '../support/cli-process.ts'
import { assertionFor } from '../support/people/authenticator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { madeFor } from '../console/console-scene.ts'
import { soft } from '../people/passkey-scene.ts'
import { partOfAirline } from './part-of-airline.ts'

interface Shown {
  readonly url: string
  readonly waiting: number
  readonly secret: string
  /** All that it has said on standard error. */
  readonly notes: () => string
}

async function opened(): Promise<Shown> {
  const cwd = await temporaryFolder()
  const data = await partOfAirline(cwd, 40)
  const child = start(['demo', '--console', '--data', data], { cwd })
  const gone = once(child, 'exit')
  endWithTest(async () => {
    child.kill('SIGKILL')
    await gone
  })
  let [printed, notes] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')))
  child.stderr?.on('data', (chunk: Buffer) => (notes += chunk.toString('utf8')))
  await expect.poll(() => printed).toContain('Ctrl-C ends it')
  const [, url = '', waiting = ''] =
    /console is at (http:\S+), with (\d+) reviews that wait/.exec(printed) ?? []
  const [, secret = ''] = /#enrol=(\S+)/.exec(printed) ?? []
  return { url, waiting: Number(waiting), secret, notes: () => notes }
}

test.runIf(isFull)('what the demo leaves open is answered at its console', async () => {
  const { url, waiting, secret, notes } = await opened()
  expect(waiting).toBeGreaterThan(0)
  let cookie = ''
  let csrf = ''
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}${consoleApi}${path}`, {
      headers: {
        cookie,
        origin: url,
        'x-csrf-token': csrf,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    expect([path, response.status]).toEqual([path, 200])
    const [set] = response.headers.getSetCookie()
    cookie = set?.split(';', 1)[0] ?? cookie
    return response.json()
  }
  const at = { id: 'demo', rpId: 'localhost', origins: [url] }
  const { challenge } = PasskeyToMake.parse(await ask('/enrol/begin', { secret }))
  const made = madeFor('quin', Buffer.from(challenge, 'base64url'), at)
  const answer = await ask('/enrol/complete', { secret, ...made, label: 'phone' })
  const { fingerprint } = EnrolmentAnswer.parse(answer)
  await expect.poll(notes).toContain(`signed the passkey ${fingerprint}`)

  const signed = (text: string) => assertionFor(soft.quin, Buffer.from(text, 'base64url'), { at })
  const begun = PasskeyAsked.parse(await ask('/sign-in/passkey/begin', {}))
  const assertion = signed(begun.challenge)
  const session = ConsoleSession.parse(await ask('/sign-in/passkey/complete', { assertion }))
  csrf = session.person?.csrf ?? ''
  const { open, count } = InboxAnswer.parse(await ask('/inbox'))
  expect(count).toBe(waiting)
  const intent = encodeURIComponent(open[0]?.intent ?? '')
  const { review } = CardAnswer.parse(await ask(`/inbox/${intent}`))
  const body = { answers: review.questions.map(() => true), digest: review.digest }
  const { toSign } = PreparedAnswer.parse(await ask(`/reviews/${intent}/prepare`, body))
  const { of, data } = toSign
  await ask(`/reviews/${intent}/submit`, {
    ...body,
    signed: { of, data, signature: signed(toSign.challenge) },
  })
  const left = async (): Promise<number> => InboxAnswer.parse(await ask('/inbox')).count
  await expect.poll(left).toBe(waiting - 1)
  const outcome = async () => {
    return CardAnswer.parse(await ask(`/inbox/${intent}`)).verdict?.data.outcome
  }
  await expect.poll(outcome).toBe('allow')
})
