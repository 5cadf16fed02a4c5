// The keys of browsers that sign a person's answers for some days, each enrolled by a passkey of
// theirs. The browser makes the key and keeps it; the log has its public half.
import type { Hono } from 'hono'
import { browserKeysOf } from '#messages/people/browser-key'
import { EnrolBody, EnrolSubmit, type BrowsersAnswer } from '#schemas/console/people-said'
import { enrolBrowser } from '#client/people/words'
import type { ConsoleOn } from '../console.ts'
import { positionsNow } from '../logs.ts'
import { addFor } from '../routed.ts'
import { addSigned, idDrawn } from '../signed-act.ts'

export function addBrowsers(app: Hono, on: ConsoleOn): void {
  const { follower, clock } = on.runtime
  addFor(app, on, 'browsers', ({ c, person }) => {
    const { catalog, people } = follower.state
    const now = clock.now()
    const principal = catalog.principals.get(person.id)
    const standing = principal === undefined ? [] : browserKeysOf(people, principal, now)
    const browsers = standing.flatMap(({ name, position: at, appendedAt, data }) => {
      const { key, until, label = null } = data
      if (until === null) return []
      return [{ name, position: at, enrolledAt: iso(appendedAt), key, label, until: iso(until) }]
    })
    const position = positionsNow(on)
    return c.json({ position, now: iso(now), browsers } satisfies BrowsersAnswer)
  })
  addSigned(app, on, {
    prepare: 'browserPrepare',
    submit: 'browserSubmit',
    body: EnrolBody,
    submitted: EnrolSubmit,
    act({ person, body, signed }, sign) {
      const { key, until, label } = body
      return enrolBrowser(on.runtime, {
        confirmer: person.id,
        key,
        until: until === null ? null : Date.parse(until),
        ...(label !== undefined && { label }),
        ...idDrawn(signed),
        sign,
      })
    },
  })
}

function iso(moment: number | string): string {
  return new Date(moment).toISOString()
}
