// Handing a review over: one who may answer it asks another who may to look. It gives and takes no
// right.
import type { Hono } from 'hono'
import { HandoverBody, HandoverSubmit } from '#schemas/console/people-said'
import { handOver } from '#client/people/words'
import type { ConsoleOn } from '../console.ts'
import { addSigned } from '../signed-act.ts'
import { lookingAt, reviewCard } from './card.ts'

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
