// The time of a server over HTTP, by the date of its answers: identifiers are made by it, where the
// clock here is wrong.
import { expect, test } from 'vitest'
import { httpServer } from '#client/over-http/server'

const hour = 3_600_000

/** How far it is ahead after answers that have these dates. */
async function aheadAfter(...dates: readonly (string | undefined)[]): Promise<number> {
  const left = [...dates]
  const server = httpServer({
    url: 'http://127.0.0.1:1',
    fetch: async () => {
      const date = left.shift()
      return new Response('{}', { headers: date === undefined ? {} : { date } })
    },
  })
  for (const _ of dates) await server.send({ method: 'GET', path: '/', isSafe: false })
  const ahead = server.now() - Date.now()
  server.close()
  return Math.round(ahead / hour)
}

const at = (hours: number): string => new Date(Date.now() + hours * hour).toUTCString()

test.each([
  [[at(2)], 2],
  [[at(-3)], -3],
  [[at(0)], 0],
  [[at(2), undefined], 2],
  [[at(2), 'no date'], 2],
  [[at(2), at(0)], 0],
])('after %j it is %i hours ahead', async (dates, ahead) => {
  expect(await aheadAfter(...dates)).toBe(ahead)
})
