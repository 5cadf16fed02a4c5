// A console with much to oversee, at a real port, and people who look at it in a real browser:
// each with a passkey that a virtual authenticator holds.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { failure, ok, warning } from '#health/doctor/finding'
import { serveConsole } from '#console/serving'
import { testKey } from '#testing/setup'
import type { CatalogFile } from '#schemas/catalog'
import type { z } from 'zod'
import { virtualPasskeys } from '../../support/browser/authenticator.ts'
import { openPage } from '../../support/browser/chromium.ts'
import { pageFiles } from '../../support/browser/page-files.ts'
import { changeCatalog, keys } from '../../support/runtime.ts'
import {
  bind,
  place,
  reason,
  reviewed,
  say,
  type Scene,
  type SceneSetup,
} from '../../support/scene.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { inTwoSteps, passkeyScene, soft } from '../../people/passkey-scene.ts'
import { linkOf, type Who } from '../console-scene.ts'

export interface Overseen {
  readonly on: Scene
  /** Where browsers find the console. */
  readonly url: string
}

const anyArgs = { type: 'object' }

/** Whom and what the scenes have beside what every scene has. */
const setup = {
  learning: true,
  principals: [
    { id: 'cora', roles: ['curator'] },
    { id: 'ledger-bot', roles: ['writer'], owner: 'piet' },
    { id: 'mail-bot', owner: 'olga', suspended: true },
    { id: 'vera', keys: [publicKeyOf(testKey('vera'))] },
  ],
  groups: [
    { id: 'people', members: ['piet', 'quin'] },
    { id: 'night', members: ['vera'] },
  ],
  confirmations: [
    { id: 'four', tier: 'four_eyes', group: 'people', sessionless: true },
    { id: 'night', tier: 'four_eyes', group: 'night', sessionless: true },
  ],
  capabilities: [
    { id: 'look', safetyClass: 'READ', argsSchema: anyArgs },
    { id: 'erase', safetyClass: 'READ', concepts: ['delete', 'file'], argsSchema: anyArgs },
    { id: 'purge', safetyClass: 'READ', concepts: ['delete', 'file'], argsSchema: anyArgs },
    {
      id: 'refund',
      description: 'Pays an amount back to a customer',
      safetyClass: 'WRITE',
      concepts: ['delete', 'file'],
      argsSchema: {
        type: 'object',
        properties: { order: { type: 'string' }, cents: { type: 'integer' } },
      },
      confirmation: 'night',
    },
    { id: 'launch', safetyClass: 'READ', concepts: ['invoice'], argsSchema: anyArgs },
    { id: 'land', safetyClass: 'READ', concepts: ['invoise'], argsSchema: anyArgs },
  ],
  limits: [{ capability: 'refund', uses: 20, windowMs: 3_600_000 }],
} satisfies z.input<typeof CatalogFile>

const rate = { perSecond: 1_000, burst: 100_000 }

/** What doctor finds here. */
const found = [
  ok('log', 'it is whole'),
  warning('keys', 'a key is open', { about: '/srv/keys', fix: 'put `keys` there' }),
  failure('confirmers', 'no one can sign', { fix: 'enrol someone' }),
]

export async function overseen(catalog: SceneSetup['catalog'] = setup): Promise<Overseen> {
  const on = await passkeyScene(catalog)
  const listen = { host: '127.0.0.1', port: 0 }
  const look = async () => found
  const files = await pageFiles()
  const serving = await serveConsole({ runtimes: [on.runtime], listen, files, rate, look })
  endWithTest(() => serving.close(0))
  const consoles = [{ id: 'here', rpId: 'localhost', origins: [serving.url] }]
  await changeCatalog(on.runtime, { op: 'set', key: 'consoles', value: consoles })
  return { on, url: serving.url }
}

/** Open reviews, one of which no one can answer, and a fault of one that waits. */
export async function busy(scene: Overseen): Promise<string> {
  const { on } = scene
  const intent = await reviewed(on, { intent: { tool: 'erase', args: { path: '/srv/a' } } })
  await reviewed(on, { intent: { tool: 'purge', args: { path: '/srv/b' } } })
  const refund = { tool: 'refund', args: { order: 'o-17', cents: 900 }, justification: reason }
  await reviewed(on, { intent: refund })
  await changeCatalog(on.runtime, { op: 'suspend', id: 'vera' })
  const { log } = on
  const about = nameOf(place, 'vlp', intent)
  const { position } = await log.head()
  const fault = {
    queue: 'policy',
    name: about,
    position,
    code: 'callback_failed',
    message: 'the callback `limits` did not answer',
    attempts: 5,
  }
  await bind(log, 'fault', nameOf(place, 'fault', 'policy', String(position)), fault)
  return intent
}

/** A grant of olga’s for later calls like one that she answered. */
export async function granting({ on, url }: Overseen): Promise<void> {
  const intent = await reviewed(on, { intent: { tool: 'erase', args: { path: '/srv/c' } } })
  const at = { id: 'here', rpId: 'localhost', origins: [url] }
  const confirmer = 'olga'
  await inTwoSteps(soft.olga, (sign) => on.bot.decide({ intent, confirmer, answers: true, sign }), {
    at,
  })
  const wanted = { confirmer, when: 'args.path == "/srv/c"', uses: 5, forMs: 3_600_000 }
  const shown = await on.bot.grantPreview({ ...wanted, intent })
  await inTwoSteps(soft.olga, (sign) => on.bot.grant({ shown, sign }), { at })
}

/** Two questions of learning that are nearly the same. */
export async function asking({ on }: Overseen): Promise<void> {
  await say(on.log, { intent: { tool: 'launch', args: { from: 'here' }, onGap: 'learn' } })
  await say(on.log, { intent: { tool: 'land', args: {}, onGap: 'learn' } })
}

/** A browser of that person, signed in by a link, with their passkey. */
export async function lookedAtBy(
  { on, url }: Overseen,
  who: Who | 'cora',
  screen: BrowserContextOptions,
): Promise<Page> {
  const page = await openPage(screen)
  if (who !== 'cora') await (await virtualPasskeys(page)).hold(soft[who])
  await page.goto(
    `${url}/#/link/${linkOf({ on }, { person: who, origin: url, privateKey: keys.root })}`,
  )
  await page.locator('.frame').waitFor()
  return page
}
