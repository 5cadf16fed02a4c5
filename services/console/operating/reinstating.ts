// Letting an agent work again: one that its standing has suspended, signed by a policy admin, or
// one that is blocked, signed by its owner or by a policy admin.
import type { Hono } from 'hono'
import {
  ReinstateBody,
  ReinstateSubmit,
  UnblockBody,
  UnblockSubmit,
} from '#schemas/console/operating'
import { lift } from '#client/people/lift'
import { reinstate } from '#client/people/reinstate'
import type { ConsoleOn } from '../console.ts'
import { logOfAgent } from '../logs.ts'
import { addSigned } from '../signed-act.ts'

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
