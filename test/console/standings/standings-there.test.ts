// What the console answers of standings and contracts, and a suspended agent that a policy admin
// lets work again.
import { describe, expect, test } from 'vitest'
import { token } from '#record/names'
import { Prepared } from '#schemas/console/authoring'
import { operations, type OperationAnswer } from '#schemas/operations/table'
import { say } from '../../support/scene.ts'
import {
  consoleScene,
  signedBy,
  signedInByLink,
  signedInByPasskey,
  type AtBrowser,
  type ConsoleScene,
} from '../console-scene.ts'
import {
  claimed,
  fails,
  folded,
  given,
  lookedAt,
  passes,
  settled,
  workCatalog,
} from './standings-scene.ts'

async function workThere(): Promise<{ scene: ConsoleScene; audra: AtBrowser }> {
  const { rules, work } = workCatalog
  const principals = [{ id: 'grader' }, { id: 'ledger-bot', owner: 'piet' }]
  const scene = await consoleScene({ rules, work, principals })
  return { scene, audra: await signedInByLink(scene, 'audra') }
}

async function standingOf(browser: AtBrowser, agent = 'bot'): Promise<OperationAnswer<'standing'>> {
  return operations.standing.output.parse(await browser.get('standing', { params: { agent } }))
}

async function contractOf(browser: AtBrowser, contract: string) {
  const answer = await browser.get('contract', { params: { contract } })
  return operations.contract.output.parse(answer).contract
}

describe('standings', () => {
  test('are of who earned something and of the other agents, who is suspended first', async () => {
    const { scene, audra } = await workThere()
    await settled(scene.on, fails)
    const { rows } = operations.standings.output.parse(await audra.get('standings'))
    expect(rows.slice(0, 2)).toMatchObject([
      { agent: 'bot', level: 'suspended', scored: 1, probation: 0, counts: true },
      { suspendedBy: null, scored: 0, level: 'standard', value: 0.7 },
    ])
    const agents = rows.map(({ agent }) => agent)
    expect(agents).toContain('ledger-bot')
    expect(agents).not.toContain('piet')
  })

  test('of one agent have each step, with its contract and who let it work again', async () => {
    const { scene, audra } = await workThere()
    const good = await settled(scene.on, passes)
    const bad = await settled(scene.on, fails)
    const { standing, steps, before, reinstateAfterMs } = await standingOf(audra)
    expect([standing.value, standing.level]).toEqual([steps[1]?.after, 'suspended'])
    expect(standing.suspendedBy?.name).toBe(steps[1]?.name)
    expect(steps).toMatchObject([
      {
        contract: { address: good, attempt: 1 },
        scored: { rule: 'verified_first', score: 1, alpha: 0.6 },
      },
      { contract: { address: bad, attempt: 1 }, scored: { rule: 'refuted', score: -1 } },
    ])
    expect([before, reinstateAfterMs]).toEqual([0, null])
    expect(await audra.refused('standing', { params: { agent: 'no-one' } })).toMatch(
      /unknown_principal$/,
    )
  })
})

describe('contracts', () => {
  test('that are open are listed by page and by worker, with what they wait for', async () => {
    const { scene, audra } = await workThere()
    const one = await given(scene.on, { taskId: 'T-1' })
    const other = await given(scene.on, { taskId: 'T-2' })
    await folded(scene.on)
    await claimed(scene.on, one)
    await folded(scene.on)
    const list = async (query: string) =>
      operations.contracts.output.parse(await audra.get('contracts', { query }))
    const first = await list('?limit=1')
    expect(first.rows).toMatchObject([
      { contract: one, taskId: 'T-1', pending: 1, looked: 0, attemptsMax: 3, waits: 'verifier' },
    ])
    const second = await list(`?limit=1&cursor=${first.next}`)
    expect(second.rows).toMatchObject([{ contract: other, pending: 0, waits: 'claim' }])
    expect(Date.parse(second.rows[0]?.until ?? '')).toBe(scene.on.time.now + 86_400_000)
    expect(second.next).toBeNull()
    expect((await list('?worker=ledger-bot')).rows).toEqual([])
    expect((await list('?worker=bot')).count).toBe(2)
  })

  test('have their attempts, open and ended, and one of them whole', async () => {
    const { scene, audra } = await workThere()
    const contract = await given(scene.on, { maxRetries: 2 })
    await folded(scene.on)
    await claimed(scene.on, contract, { status: 'success', whatITried: 'all of it' })
    await lookedAt(scene.on, contract, fails)
    const open = await contractOf(audra, contract)
    expect(open).toMatchObject({
      issuer: 'grader',
      worker: 'bot',
      task: { taskId: 'T-1', maxRetries: 2 },
      state: 'open',
      attempts: [
        {
          completion: { whatITried: 'all of it' },
          found: { verification: 'refuted', gateFailed: 'tests', gates: fails, ended: null },
        },
      ],
    })
    await claimed(scene.on, contract)
    await lookedAt(scene.on, contract, passes)
    const ended = await contractOf(audra, contract)
    expect(ended).toMatchObject({ state: 'ended', ended: { how: 'verified', score: 0.7 } })
    expect(ended.attempts.map(({ found }) => found?.gates)).toEqual([fails, passes])
  })

  test('that there are none of are not found', async () => {
    const { audra } = await workThere()
    for (const contract of ['bot.-.none', '>', 'x']) {
      expect(await audra.refused('contract', { params: { contract } })).toMatch(/^404/)
    }
  })
})

describe('a suspended agent', () => {
  test('works again by a passkey of a policy admin, for the reason that was signed', async () => {
    const { scene, audra } = await workThere()
    await settled(scene.on, fails)
    const root = await signedInByPasskey(scene, 'root')
    const params = { agent: 'bot' }
    const body = { reason: 'its tests were wrong' }
    const { toSign } = Prepared.parse(await root.get('reinstatePrepare', { params, body }))
    expect(toSign.data).toEqual({ agent: 'bot', by: 'root', ...body })
    const signed = signedBy('root', toSign)
    const otherwise = { params, body: { reason: 'another', signed } }
    expect(await root.refused('reinstateSubmit', otherwise)).toBe('409 signing_changed')
    const piets = { params, body: { ...body, signed: signedBy('piet', toSign) } }
    expect(await root.refused('reinstateSubmit', piets)).toBe('422 signature_needed')
    await root.get('reinstateSubmit', { params, body: { ...body, signed } })
    const standing = scene.on.runtime.follower.state.standings.get(token('bot'))
    expect([standing?.value, standing?.suspendedBy]).toEqual([0.3, null])
    expect((await standingOf(audra)).steps.at(-1)).toMatchObject({
      contract: null,
      scored: null,
      reinstated: { by: 'root', ...body },
    })
    expect(await root.refused('reinstatePrepare', { params, body })).toMatch(
      /^422 reinstatement_refused/,
    )
  })

  test('is let by no one else, and without a reason by no one', async () => {
    const { scene, audra } = await workThere()
    await settled(scene.on, fails)
    const params = { agent: 'bot' }
    const body = { reason: 'please' }
    expect(await audra.refused('reinstatePrepare', { params, body })).toMatch(/not_operator$/)
    const root = await signedInByPasskey(scene, 'root')
    const empty = { params, body: { reason: '' } }
    expect(await root.refused('reinstatePrepare', empty)).toMatch(/^400/)
  })
})

describe('a blocked agent', () => {
  test('asks again once its owner signs that, up to where the owner has seen the log', async () => {
    const { scene } = await workThere()
    const { runtime, log } = scene.on
    const block = { type: 'notice', content: 'stop', safety: { level: 'block', issues: [] } }
    const blocked = async () => {
      await say(log, { message: block })
      const { position } = await log.head()
      await runtime.follower.reached(position)
      return position
    }
    const olga = await signedInByPasskey(scene, 'olga')
    const params = { agent: 'bot' }
    const nothing = { params, body: { through: 1 } }
    expect(await olga.refused('unblockPrepare', nothing)).toBe('409 conflict')
    const first = { through: await blocked(), note: 'it was a slip' }
    const quin = await signedInByPasskey(scene, 'quin')
    expect(await quin.refused('unblockPrepare', { params, body: first })).toMatch(/^422 lift_void/)
    const prepared = async (body: object) => {
      const { toSign } = Prepared.parse(await olga.get('unblockPrepare', { params, body }))
      expect(toSign.data).toEqual({ agent: 'bot', by: 'olga', ...body })
      return { params, body: { ...body, signed: signedBy('olga', toSign) } }
    }
    const early = await prepared(first)
    const second = { ...first, through: await blocked() }
    // What came since is not lifted by what was signed before it.
    const wider = { params, body: { ...early.body, through: second.through } }
    expect(await olga.refused('unblockSubmit', wider)).toBe('409 signing_changed')
    expect(await olga.refused('unblockSubmit', early)).toBe('409 conflict')
    await olga.get('unblockSubmit', await prepared(second))
    const state = runtime.follower.state.agents.get('bot')
    expect(state).toMatchObject({ block: null, liftedThrough: second.through })
  })
})
