// A shop whose agent did a few things that an auditor will ask about, a console on its log, and the
// auditor at a browser.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { madeLink } from '#serving/people/one-time-link'
import type { Serving } from '#health/serving'
import { serveConsole } from '#console/serving'
import { openPage } from '../../support/browser/chromium.ts'
import { pageFiles } from '../../support/browser/page-files.ts'
import { changeGraph, keys } from '../../support/runtime.ts'
import {
  answer,
  judged,
  reviewed,
  say,
  scene,
  type Scene,
  type SceneSetup,
} from '../../support/scene.ts'
import { endWithTest } from '../../support/vitest/endings.ts'

type GraphSetup = NonNullable<SceneSetup['graph']>

const text = { type: 'string' }
const argsSchema = { type: 'object', properties: { order: text, amount: { type: 'number' } } }

const catalog: NonNullable<SceneSetup['catalog']> = {
  principals: [{ id: 'audra', via: ['audit'] }, { id: 'nora' }],
  capabilities: [
    {
      id: 'refund_order',
      description: 'Pays money back to the card that paid for an order',
      safetyClass: 'WRITE',
      concepts: ['refund', 'order'],
      argsSchema,
      conditions: [
        {
          name: 'small-refunds',
          effect: 'require',
          when: 'args.amount <= 500.0',
          message: 'more than 500 go through the accounts team',
        },
        {
          name: 'large-refunds',
          effect: 'confirm',
          when: 'args.amount > 100.0',
          question: 'More than 100 go back to the customer. Is that right?',
        },
      ],
    },
    { id: 'read_order', safetyClass: 'READ', concepts: ['order'], argsSchema },
    { id: 'cancel_order', safetyClass: 'WRITE', concepts: ['cancel', 'warehouse'], argsSchema },
  ],
}

function known(name: string, what: string, ...relata: readonly string[]) {
  const to = relata.map((target) => ({ type: 'DEPENDS_ON' as const, target, targetDepth: 0 }))
  return { name, depths: [{ level: 0 }, { level: 1, properties: { what }, relata: to }] }
}

const graph: GraphSetup = {
  primitives: [
    known('order', 'what a customer bought', 'customer', 'article'),
    known('refund', 'money that goes back', 'order', 'payment', 'limit'),
    known('customer', 'who buys', 'account'),
    known('payment', 'how an order was paid', 'account'),
    known('account', 'where money comes from'),
    known('article', 'what is sold', 'supplier'),
    known('supplier', 'who delivers it'),
    known('limit', 'how much may go back'),
    known('cancel', 'ends an order', 'order'),
  ],
}

export interface AuditorScene {
  readonly on: Scene
  readonly serving: Serving
  /** The addresses of what the agent asked, by what came of it. */
  readonly asked: Readonly<Record<'approved' | 'refused' | 'read' | 'unknown' | 'open', string>>
}

export async function auditorScene(): Promise<AuditorScene> {
  const on = await scene({ catalog, graph })
  const justification = 'The vase arrived broken, as the photo in the ticket shows'
  const asks = (tool: string, args: object, more: object = {}) => {
    const intent = JSON.parse(JSON.stringify({ tool, args, justification, ...more }))
    const _extras = { traceparent: `00-${'4bf92f3577b34da6'.repeat(2)}-00f067aa0ba902b7-01` }
    return { session: 'S-2026-shop-0007', intent, message: { _extras } }
  }
  const read = (await judged(on, asks('read_order', { order: 'O-4711' }))).intent
  const approved = await reviewed(on, asks('refund_order', { order: 'O-4711', amount: 240 }))
  await answer(on, approved, { note: 'The photo is clear' })
  await on.watch.settled(on.log)
  const refused = (await judged(on, asks('refund_order', { order: 'O-4688', amount: 900 }))).intent
  const unknown = (await judged(on, asks('cancel_order', { order: 'O-4711' }))).intent
  await changeGraph(
    on.runtime,
    { op: 'add', name: 'warehouse' },
    { op: 'describe', name: 'warehouse', level: 0, properties: {} },
    { op: 'describe', name: 'limit', level: 1, properties: { what: 'how much may go back a day' } },
  )
  const open = await reviewed(on, asks('refund_order', { order: 'O-4690', amount: 130 }))
  const serving = await serveConsole({
    runtimes: [on.runtime],
    listen: { host: '127.0.0.1', port: 0 },
    files: await pageFiles(),
    traces: 'https://traces.example.org/{trace}',
    // The time of the scene stands still, and so does what fills the bucket.
    rate: { perSecond: 1_000, burst: 100_000 },
  })
  endWithTest(() => serving.close(0))
  return { on, serving, asked: { approved, refused, read, unknown, open } }
}

/** Another request of the agent, while someone looks. */
export async function asksAgain({ on }: AuditorScene): Promise<string> {
  return say(on.log, { session: null, intent: { tool: 'read_order', args: { order: 'O-1' } } })
}

/** The auditor’s page, signed in by a link, at that place. */
export async function auditorAt(
  { on, serving }: AuditorScene,
  place: string,
  screen?: BrowserContextOptions,
  person = 'audra',
): Promise<Page> {
  const now = on.time.now
  const secret = madeLink({
    for: 'sign_in',
    person,
    by: 'root',
    origin: new URL(serving.url).origin,
    madeAt: now,
    until: now + 60_000,
    log: on.runtime.follower.state.log,
    privateKey: keys.root,
  })
  const page = await openPage(screen)
  await page.goto(`${serving.url}/#/link/${secret}`)
  await page.locator('.frame').waitFor()
  await page.goto(`${serving.url}/#/${place}`)
  return page
}
