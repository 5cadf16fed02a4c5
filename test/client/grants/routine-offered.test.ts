// To whom a grant for a routine is offered: to those alone who could sign it, for what has one. The
// grant itself decides: it is drawn up as the command draws it up.
import { describe, expect, test } from 'vitest'
import { routineGrant, routineOffered } from '#client/grants/routine'
import { openReviewOf } from '#runtime/engine/gathering/open-reviews'
import type { SafetyClass } from '#schemas/rules/terms'
import { codingCall, codingTool } from '../../support/coding-tool.ts'
import { changeCatalog } from '../../support/runtime.ts'
import { reviewed, scene } from '../../support/scene.ts'

interface Case {
  readonly concept?: string
  readonly confirmer?: string
  /** Which classes the confirmation lets grants answer. */
  readonly grants?: readonly SafetyClass[]
  readonly isSuspended?: boolean
}

async function offered(given: Case) {
  const { concept, confirmer = 'olga', grants, isSuspended = false } = given
  const four = {
    id: 'four',
    tier: 'confirm' as const,
    ...(grants !== undefined && { grants: [...grants] }),
  }
  const on = await scene({ catalog: { confirmations: [four] } })
  const { runtime } = on
  await codingTool(runtime)
  const address = await reviewed(on, { intent: codingCall('a.ts', concept) })
  const olga = runtime.follower.state.catalog.principals.get('olga')
  if (isSuspended && olga !== undefined) {
    const entry = { ...olga, suspended: true }
    await changeCatalog(runtime, { op: 'put', collection: 'principals', entry })
  }
  const intent = runtime.follower.state.intents.get(address)
  if (intent === undefined) throw new Error('it is not open')
  const { args } = (await openReviewOf(runtime, intent))?.review.terms ?? {}
  const by = { intent, args, confirmer }
  const drawnUp = async () => on.bot.grantPreview(await routineGrant(runtime, by))
  return { offer: await routineOffered(runtime, by), drawnUp }
}

describe('a grant for a routine', () => {
  test('is offered to who is asked, as it is drawn up then', async () => {
    const { offer, drawnUp } = await offered({})
    const { grant } = await drawnUp()
    expect(offer).toMatchObject({ confirmer: 'olga', when: grant.when, uses: grant.uses })
    expect(grant.when).toContain('args.root == "/srv/shop"')
  })

  test.each<readonly [string, Case]>([
    ['what deletes', { concept: 'destroy.inside' }],
    ['someone who is not asked', { confirmer: 'piet' }],
    ['a name of no one', { confirmer: 'no-one' }],
    ['who is suspended', { isSuspended: true }],
    ['a rule that lets no grant answer', { grants: [] }],
    ['another class than the rule lets', { grants: ['READ'] }],
  ])('is not offered for %s, and could not be signed', async (_, given) => {
    const { offer, drawnUp } = await offered(given)
    expect(offer).toBeNull()
    await expect(drawnUp()).rejects.toMatchObject({ code: 'grant_void' })
  })
})
