// What people sign here beside their answers and rulings.
import type { Hono } from 'hono'
import { consoleRefusal } from '#rules/catalog/doors/console-rights'
import type { Catalog } from '#rules/catalog/catalog'
import { deputyOf, standsInFor } from '#messages/people/people-said'
import {
  AbsenceBody,
  AbsenceSubmit,
  HandoverBody,
  HandoverSubmit,
  EnrolBody,
  EnrolSubmit,
  type AbsenceAnswer,
  type BrowsersAnswer,
} from '#schemas/console/people-said'
import { sayAbsent, handOver, noteDown, enrolBrowser } from '#client/people/decide'
import type { ConsoleOn } from '../console.ts'
import { positionsNow, ofCell, logOfAgent } from '../logs.ts'
import { addFor } from '../routed.ts'
import { addSigned, idDrawn } from '../signed-act.ts'
import { lookingAt, reviewCard } from '../reviews/card.ts'
import { Fault } from '#record/fault'
import { factAbout } from '#runtime/engine/binding'
import { NoteBody, NoteSubmit } from '#schemas/console/reading'
import type { z } from 'zod'
import { isAddress } from '#operations/found-review'
import {
  ReinstateBody,
  ReinstateSubmit,
  UnblockBody,
  UnblockSubmit,
} from '#schemas/console/operating'
import { lift, reinstate } from '#client/people/reinstate'
import { browserKeysOf } from '#messages/people/browser-key'

// Being away: a person names another who answers meanwhile, and sees for whom they answer.

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

// Handing a review over: one who may answer it asks another who may to look. It gives and takes no
// right.

export function addHandovers(app: Hono, on: ConsoleOn): void {
  addSigned(app, on, {
    prepare: 'handoverPrepare',
    submit: 'handoverSubmit',
    body: HandoverBody,
    submitted: HandoverSubmit,
    async act({ on: at, c, person, body: { to, note } }, sign) {
      const intent = c.req.param('intent') ?? ''
      await lookingAt(at, { person, address: intent })
      return handOver(at.runtime, {
        intent,
        confirmer: person.id,
        to,
        ...(note !== undefined && { note }),
        sign,
      })
    },
    async stale({ on: at, c, person }) {
      const address = c.req.param('intent') ?? ''
      return { card: await reviewCard(at, { person, address }) }
    },
  })
}

// What a person notes about an intent or a position, signed in the browser. No rule reads it; the
// story and the search show it.

export function addNotes(app: Hono, served: ConsoleOn): void {
  addSigned(app, served, {
    prepare: 'notePrepare',
    submit: 'noteSubmit',
    body: NoteBody,
    submitted: NoteSubmit,
    on: ({ on, body }) => logOf(on, body),
    act({ on, person, body: { about, text }, signed }, sign) {
      // The id of what is bound is drawn once, and is part of what was signed.
      const id = signed?.of.name.split('.')[3]
      const by = person.id
      return noteDown(on.runtime, { by, about, text, ...(id !== undefined && { id }), sign })
    },
  })
}

async function logOf(
  on: ConsoleOn,
  { about: of, cell }: z.output<typeof NoteBody>,
): Promise<ConsoleOn> {
  if ('position' in of) {
    const meant = on.logs.find((log) => ofCell(log).cell === cell)
    if (meant !== undefined) return meant
    throw new Fault('usage', 'a position is one of a cell that this console serves')
  }
  const log = await on.about(of.intent)
  const isThere =
    isAddress(log.runtime.follower.state.place, of.intent) &&
    (await factAbout(log.runtime, 'vlp', of.intent)) !== undefined
  if (isThere) return log
  throw new Fault('no_intent', 'the log has no intent of that address')
}

// Letting an agent work again: one that its standing has suspended, signed by a policy admin, or
// one that is blocked, signed by its owner or by a policy admin.

export function addReinstating(app: Hono, served: ConsoleOn): void {
  addSigned(app, served, {
    prepare: 'reinstatePrepare',
    submit: 'reinstateSubmit',
    body: ReinstateBody,
    submitted: ReinstateSubmit,
    on: async ({ on, c }) => logOfAgent(on.logs, c.req.param('agent') ?? ''),
    act({ on, c, person, body: { reason } }, sign) {
      const agent = c.req.param('agent') ?? ''
      return reinstate(on.runtime, { agent, by: person.id, reason, sign })
    },
  })
}

export function addUnblocking(app: Hono, served: ConsoleOn): void {
  addSigned(app, served, {
    prepare: 'unblockPrepare',
    submit: 'unblockSubmit',
    body: UnblockBody,
    submitted: UnblockSubmit,
    on: async ({ on, c }) => logOfAgent(on.logs, c.req.param('agent') ?? ''),
    act({ on, c, person, body: { through, note } }, sign) {
      const agent = c.req.param('agent') ?? ''
      const noted = note === undefined ? {} : { note }
      return lift(on.runtime, { agent, by: person.id, through, ...noted, sign })
    },
  })
}

// The keys of browsers that sign a person's answers for some days, each enrolled by a passkey of
// theirs. The browser makes the key and keeps it; the log has its public half.

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
