// Being away: a person names another who answers meanwhile, and sees for whom they answer.
import type { Hono } from 'hono'
import { consoleRefusal } from '#rules/catalog/doors/console-rights'
import type { Catalog } from '#rules/catalog/catalog'
import { deputyOf, standsInFor } from '#messages/people/people-said'
import { AbsenceBody, AbsenceSubmit, type AbsenceAnswer } from '#schemas/console/people-said'
import { sayAbsent } from '#client/people/words'
import type { ConsoleOn } from '../console.ts'
import { positionsNow } from '../logs.ts'
import { addFor } from '../routed.ts'
import { addSigned, idDrawn } from '../signed-act.ts'

export function addAbsences(app: Hono, on: ConsoleOn): void {
  const { follower, clock } = on.runtime
  addFor(app, on, 'absence', ({ c, person: { id } }) => {
    const { catalog, people } = follower.state
    const now = clock.now()
    const own = deputyOf(people, id, now) === null ? undefined : people.absences.get(id)
    const { deputy = null, until = null, note = null } = own?.data ?? {}
    const isAway = own !== undefined && deputy !== null && until !== null
    return c.json({
      position: positionsNow(on),
      now: iso(now),
      own: isAway ? { deputy, since: iso(own.appendedAt), until: iso(until), note } : null,
      standsIn: standsInFor(people, id, now).map((absence) => ({
        for: absence.person,
        until: iso(absence.until),
        note: absence.note,
      })),
      fellows: fellowsOf(catalog, id),
    } satisfies AbsenceAnswer)
  })
  addSigned(app, on, {
    prepare: 'absencePrepare',
    submit: 'absenceSubmit',
    body: AbsenceBody,
    submitted: AbsenceSubmit,
    act({ person, body, signed }, sign) {
      const { deputy, until, note } = body
      return sayAbsent(on.runtime, {
        confirmer: person.id,
        deputy,
        until: until === null ? null : Date.parse(until),
        ...(note !== undefined && { note }),
        ...idDrawn(signed),
        sign,
      })
    },
  })
}

/** The other people of that person's groups, in the order of the catalog. */
function fellowsOf(catalog: Catalog, id: string): string[] {
  const groups = [...catalog.groups.values()].filter(({ members }) => members.includes(id))
  const fellows = new Set(groups.flatMap(({ members }) => members))
  return [...fellows].filter((one) => one !== id && consoleRefusal(catalog, one) === null)
}

function iso(moment: number | string): string {
  return new Date(moment).toISOString()
}
