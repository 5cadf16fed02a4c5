// Changes of the graph and the catalog, signed in the browser by a policy admin: suspending and
// resuming an agent, and change sets, which say what they would have turned before anyone signs.
import type { Context, Hono } from 'hono'
import { primitiveToFile } from '#knowledge/graph/graph'
import { findId, recordAt } from '#knowledge/graph/revision'
import { principalIn } from '#rules/catalog/catalog'
import { Fault } from '#record/fault'
import type { Sign } from '#record/signature'
import { bodyOf } from '#serving/app'
import { change } from '#authoring/change'
import { checkedCatalog, checkedGraph, type Operations } from '#authoring/change-check'
import { whatIfToday, type TodayReport } from '#replay/what-if/today'
import {
  ChangeBody,
  ChangeSubmit,
  ConceptsBody,
  type ConceptsAnswer,
  type PreparedChange,
  type WhatIfAnswer,
  ConditionBody,
  RevokeBody,
  RevokeSubmit,
  RulingBody,
  RulingSubmit,
  type ConditionAnswer,
} from '#schemas/console/authoring'
import { SuspendBody, SuspendSubmit } from '#schemas/console/operating'
import { unsignedOf } from '#client/people/signing'
import { stages } from '#workers/stages'
import type { ConsoleOn } from './console.ts'
import type { ConsolePerson } from './people/recognised.ts'
import { positionsNow } from './logs.ts'
import { addFor } from './routed.ts'
import {
  addSigned,
  boundAnswer,
  orStale,
  signerFor,
  signingAsked,
  type FactBound,
  idDrawn,
} from './signed-act.ts'
import { conditionProblem } from '#conditions/condition'
import { openObject, typeOfArguments } from '#conditions/types'
import { rule } from '#runtime/learning/rule'
import { revoke } from '#client/revoke'

const bodyBytesMax = 1024 * 1024
/** What a change would have done is derived from so many of the last intents. */
const lastMax = 500
const flipsMax = 200
const whatIfCost = 50
const standingCost = 5
/** So long a change may be looked at before it is signed, since it says when it was drawn up. */
const drawnUpMsMax = 15 * 60_000

export function addChanges(app: Hono, on: ConsoleOn): void {
  for (const op of ['suspend', 'unsuspend'] as const) {
    addSigned(app, on, {
      prepare: `${op}Prepare`,
      submit: `${op}Submit`,
      body: SuspendBody,
      submitted: SuspendSubmit,
      act({ c, person, body }, sign) {
        const { id } = principalIn(on.runtime.follower.state.catalog, c.req.param('agent') ?? '')
        const wanted: Operations = { kind: 'catalog', operations: [{ op, id }] }
        const at = on.runtime.clock.now()
        return changed(on, wanted, { person, sign, at, note: body.note })
      },
    })
  }
  addFor(app, on, 'changePrepare', (asked) =>
    orStale({}, asked, async () => {
      const { c, person } = asked
      const body = await bodyOf(c, ChangeBody, bodyBytesMax)
      const at = on.runtime.clock.now()
      const found = await unsignedOf((sign) =>
        changed(on, operationsIn(body), { person, sign, at, note: body.note }),
      )
      const { state } = on.runtime.follower
      const { next } = body.of === 'graph' ? state.graphSequence : state.catalogSequence
      return c.json({
        toSign: signingAsked(found),
        at: new Date(at).toISOString(),
        revision: next,
      } satisfies PreparedChange)
    }),
  )
  addFor(app, on, 'changeSubmit', (asked) =>
    orStale({}, asked, async () => {
      const { c, person } = asked
      const body = await bodyOf(c, ChangeSubmit, bodyBytesMax)
      const at = Date.parse(body.at)
      const age = on.runtime.clock.now() - at
      if (age < 0 || age > drawnUpMsMax) {
        throw new Fault('signing_changed', 'it was drawn up too long ago: look at it again')
      }
      const { change: of, signed } = body
      const sign = signerFor(asked, signed)
      const by = { person, sign, at, note: of.note }
      return c.json(boundAnswer(await changed(on, operationsIn(of), by)))
    }),
  )
  addFor(
    app,
    on,
    'standingConcepts',
    async ({ c }) => c.json(await standingIn(on, c)),
    standingCost,
  )
  addFor(
    app,
    on,
    'whatIf',
    async ({ c }) => c.json(await turnedBy(on, await bodyOf(c, ChangeBody, bodyBytesMax))),
    whatIfCost,
  )
}

async function standingIn({ runtime }: ConsoleOn, c: Context): Promise<ConceptsAnswer> {
  const { names } = await bodyOf(c, ConceptsBody, bodyBytesMax)
  const { graph, graphRevision: revision, position } = runtime.follower.state
  const ids = new Set(names.flatMap((name) => findId(graph, name) ?? []))
  const primitives = [...ids].map((id) => primitiveToFile(graph, recordAt(graph, id)))
  return { position, revision, primitives }
}

type ChangeAsked = ReturnType<typeof ChangeBody.parse>

function operationsIn(body: ChangeAsked): Operations {
  return body.of === 'graph'
    ? { kind: 'graph', operations: body.operations }
    : { kind: 'catalog', operations: body.operations }
}

interface ChangedBy {
  readonly person: ConsolePerson
  readonly sign: Sign
  /** When it was drawn up, which what is written of the graph says of itself. */
  readonly at: number
  readonly note: string | undefined
}

async function changed(
  { runtime }: ConsoleOn,
  wanted: Operations,
  { person, sign, at, note }: ChangedBy,
): Promise<FactBound> {
  const author = { id: person.id, sign }
  const why = note === undefined ? {} : { note }
  const { name } = await change(runtime, wanted, author, { at, ...why })
  const fact = await runtime.log.get(name)
  if (fact === undefined) throw new Fault('unexpected', 'what was bound is not found')
  return fact
}

/** By the intents of each log, in their own; of all cells as many as of one log. */
async function turnedBy(on: ConsoleOn, body: ChangeAsked): Promise<WhatIfAnswer> {
  const position = positionsNow(on)
  const last = Math.ceil(lastMax / on.logs.length)
  const reports = await Promise.all(on.logs.map((at) => turnedIn(at, body, last)))
  const sum = (of: 'tried' | 'unable' | 'unsure'): number =>
    reports.reduce((all, report) => all + report[of], 0)
  const flips = reports.flatMap((report) => report.flips)
  return {
    position,
    tried: sum('tried'),
    unable: sum('unable'),
    unsure: sum('unsure'),
    spanMs: Math.max(...reports.map(({ spanMs }) => spanMs)),
    flips: flips.slice(0, flipsMax).map((flip) => ({ ...flip })),
    more: Math.max(0, flips.length - flipsMax),
    held: reports.flatMap(({ held }) => held.map((one) => ({ ...one }))),
    reviews: reports.flatMap(({ reviews }) => reviews.map((one) => ({ ...one }))),
  }
}

async function turnedIn(
  { runtime }: ConsoleOn,
  body: ChangeAsked,
  last: number,
): Promise<TodayReport> {
  const { log, follower, callbacks, clock } = runtime
  const { state } = follower
  const { graph, catalog } = state
  const wanted = operationsIn(body)
  const after =
    wanted.kind === 'graph'
      ? { catalog, graph: checkedGraph(graph, wanted.operations) }
      : { graph, catalog: checkedCatalog(catalog, wanted.operations) }
  const time = new Date(clock.now()).toISOString()
  return whatIfToday({ log, state, stages, callbacks, time, after, last })
}

// Rulings on what learning asks people, signed in the browser; and what was permitted before, taken
// back.

export function addProposals(app: Hono, on: ConsoleOn): void {
  const { runtime } = on
  addSigned(app, on, {
    prepare: 'rulingPrepare',
    submit: 'rulingSubmit',
    body: RulingBody,
    submitted: RulingSubmit,
    act({ c, person, body }, sign) {
      const { ruling, digest, candidate, suggestion, releases, note } = body
      return rule(runtime, {
        proposal: c.req.param('proposal') ?? '',
        confirmer: person.id,
        ruling,
        digest,
        ...(candidate !== undefined && { candidate }),
        ...(suggestion !== undefined && { suggestion }),
        ...(releases !== undefined && { releases }),
        ...(note !== undefined && { note }),
        sign,
      })
    },
  })
  addSigned(app, on, {
    prepare: 'revokePrepare',
    submit: 'revokeSubmit',
    body: RevokeBody,
    submitted: RevokeSubmit,
    act({ person, body, signed }, sign) {
      return revoke(runtime, {
        target: body.target,
        by: person.id,
        ...(body.note !== undefined && { note: body.note }),
        ...idDrawn(signed),
        sign,
      })
    },
  })
  addFor(app, on, 'conditionCheck', async ({ c }) => {
    const { when, capability } = await bodyOf(c, ConditionBody)
    const { capabilities } = runtime.follower.state.catalog
    const schema = capability === undefined ? undefined : capabilities.get(capability)?.argsSchema
    const problem = conditionProblem(
      when,
      schema === undefined ? openObject : typeOfArguments(schema),
    )
    return c.json({
      problem: problem === null ? null : { message: problem.message, offset: problem.offset },
    } satisfies ConditionAnswer)
  })
}
