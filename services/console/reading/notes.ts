// What a person notes about an intent or a position, signed in the browser. No rule reads it; the
// story and the search show it.
import type { Hono } from 'hono'
import { Fault } from '#record/fault'
import { factAbout } from '#runtime/engine/binding'
import { NoteBody, NoteSubmit } from '#schemas/console/reading'
import { noteDown } from '#client/people/words'
import type { z } from 'zod'
import type { ConsoleOn } from '../console.ts'
import { ofCell } from '../logs.ts'
import { isAddress } from '#operations/found-review'
import { addSigned } from '../signed-act.ts'

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
