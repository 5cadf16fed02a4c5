// The commands about intents and agents on a realm of two cells with none of them named: each
// finds the one that has what is meant, or lists what all have.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { policy } from '#workers/policy/decider'
import { stages } from '#workers/stages'
import { ended, says } from '../support/cli-process.ts'
import { breaking, type Breakage } from '../support/faulty-log.ts'
import { bound } from '../support/scene.ts'
import { canStartNats } from '../support/servers/nats-server.ts'
import { commands, json, type Commands } from './commands.ts'
import { agentOf } from './stand.ts'

const breakage: Breakage = { error: null, tries: 0 }
const broken = stages.map((stage) => (stage.name === 'policy' ? breaking(policy, breakage) : stage))

describe.skipIf(!canStartNats)('an intent in a realm of two cells', () => {
  let on: Commands

  beforeAll(async () => {
    on = await commands({ stagesIn: (cell) => (cell === 1 ? broken : stages) })
  })
  afterAll(() => on.at.dispose())

  test('an agent asks in its cell', async () => {
    for (const cell of [0, 1]) {
      const [verdict] = await on.printed('ask', 'look', '--agent', agentOf(on.at, cell))
      expect(verdict).toMatchObject({ outcome: 'allow' })
      expect(verdict.name).toMatch(new RegExp(`^main-c${cell}[.]1[.]verdict`))
    }
  })

  test('reviews are of all cells, and are answered where they are', async () => {
    const intents = [await on.waiting(1), await on.waiting(0)]
    const [found] = await on.printed('reviews')
    expect(
      found?.rows.map(({ cell, intent }: { cell: number; intent: string }) => [cell, intent]),
    ).toEqual([
      [1, intents[0]],
      [0, intents[1]],
    ])
    expect((await on.called('reviews')).stdout).toMatch(/ cell 1;.* cell 0;/s)
    const [open] = await on.printed('log', '--open')
    expect(
      open?.rows.map(({ cell, intent }: { cell: number; intent: string }) => [cell, intent]),
    ).toEqual([
      [1, intents[0]],
      [0, intents[1]],
    ])
    expect((await on.called('log', '--open')).stdout).toMatch(/^cell +age .*\n1 .*\n0 /)
    const [first = '', second = ''] = intents
    const yes = await on.called('approve', first.slice(-8), '--as', 'olga', '--json')
    expect(json(yes.stdout)[0]).toMatchObject({ intent: first, outcome: 'allow' })
    const no = await on.called('decline', second, '--as', 'olga', '--json')
    expect(json(no.stdout)[0]).toMatchObject({ intent: second, outcome: 'deny' })
    expect(await on.printed('reviews')).toMatchObject([{ count: 0, rows: [] }])
  })

  test('new reviews of all cells are printed', async () => {
    const child = on.started('reviews', '--follow', '--json')
    const ran = ended(child)
    const intents: string[] = []
    for (const cell of [0, 1]) {
      const shown = says(child, 'stdout', `"cell":${cell}`)
      intents.push(await on.waiting(cell))
      await shown
    }
    child.kill('SIGINT')
    const { code, stdout } = await ran
    expect([code, json(stdout).map(({ cell, intent }) => [cell, intent])]).toEqual([
      0,
      intents.map((intent, cell) => [cell, intent]),
    ])
    for (const intent of intents) await on.called('decline', intent, '--as', 'olga')
  })

  test('an intent is traced and withdrawn wherever it is', async () => {
    const intent = await on.waiting(1)
    for (const meant of [intent, intent.slice(-8), `main-c1.1.vlp.${intent}`]) {
      const [story] = await on.printed('trace', meant)
      expect(story).toMatchObject({ intent, outcome: 'open' })
    }
    const withdrawn = await on.called('withdraw', intent.slice(-8), '--json')
    expect(json(withdrawn.stdout)[0]).toMatchObject({ intent, outcome: 'deny' })
    const again = await on.called('withdraw', intent)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already decided') })
    for (const command of ['trace', 'withdraw']) {
      const missing = await on.called(command, 'NOSUCHINTENT', '--json')
      expect(json(missing.stdout)[0].error).toMatchObject({
        code: 'no_intent',
        message: expect.stringContaining('main-c0, main-c1'),
      })
    }
  })

  test('an end that fits intents of several cells is refused, or means the open one', async () => {
    const [closed, open] = [`x-${'A'.repeat(8)}`, `y-${'A'.repeat(8)}`]
    const bind = async (cell: number, ulid: string, tool: string): Promise<string> => {
      const agent = agentOf(on.at, cell)
      await said(cell, agent, ulid, { payload: { intent: { tool } } })
      return `${agent}.-.${ulid}`
    }
    const looked = await bind(0, closed, 'look')
    await bound(on.logIn(0), `main-c0.1.verdict.${looked}`)
    const erasing = await bind(1, open, 'erase')
    await bound(on.logIn(1), `main-c1.1.review.${erasing}.1`)
    const traced = await on.called('trace', 'A'.repeat(8), '--json')
    const { code, message } = json(traced.stdout)[0].error
    expect(code).toBe('intent_ambiguous')
    expect(message).toContain(`${looked} in main-c0`)
    expect(message).toContain(`${erasing} in main-c1`)
    const answered = await on.called('approve', 'A'.repeat(8), '--as', 'olga', '--json')
    expect(json(answered.stdout)[0]).toMatchObject({ intent: erasing, outcome: 'allow' })
  })

  async function said(cell: number, as: string, ulid: string, more: object): Promise<void> {
    const message = {
      id: `MSG-${ulid}`,
      protocol: 'VLP/1.1',
      type: 'query',
      timestamp: '2026-01-01T00:00:00Z',
      sender: as,
      content: 'may I',
      confidence: 0.5,
      ...more,
    }
    const name = `main-c${cell}.1.vlp.${as}.-.${ulid}`
    await on.logIn(cell).append({ name, bytes: Buffer.from(JSON.stringify(message)) })
  }

  test('an agent is unblocked in its cell', async () => {
    const agent = agentOf(on.at, 1)
    const safety = { level: 'block', issues: [] }
    await said(1, 'guard', 'stop', { type: 'notice', content: 'stop', receiver: agent, safety })
    const denied = await on.called('ask', 'look', '--agent', agent, '--json')
    expect(json(denied.stdout)[0].reasons[0]).toMatchObject({ code: 'message_blocked' })
    const lifted = await on.called('unblock', agent, '--as', 'olga', '--json')
    expect(json(lifted.stdout)[0]).toMatchObject({ agent, lifted: ['main-c1.1.vlp.guard.-.stop'] })
    expect(await on.printed('ask', 'look', '--agent', agent)).toMatchObject([{ outcome: 'allow' }])
    const unknown = await on.called('unblock', 'no-one', '--as', 'olga', '--json')
    expect(json(unknown.stdout)[0].error.code).toBe('unknown_principal')
  })

  test('faults are of all cells, and are tried again where they are', async () => {
    breakage.error = new Fault('name_spent', 'it cannot be bound')
    const asking = ['ask', 'look', '--agent', agentOf(on.at, 1), '--wait', '0', '--json']
    const intents: string[] = []
    for (let count = 0; count < 2; count += 1) {
      const { intent } = json((await on.called(...asking)).stdout)[0]
      const job = await bound(on.logIn(1), `main-c1.1.grounding.${intent}.1`)
      await bound(on.logIn(1), `main-c1.1.fault.policy.${job.position}`)
      intents.push(intent)
    }
    breakage.error = null
    const [{ rows: faults }] = await on.printed('faults', '--open')
    expect(faults.toReversed()).toMatchObject(
      intents.map((intent) => ({ cell: 1, intent, queue: 'policy' })),
    )
    expect((await on.called('faults')).stdout).toMatch(/^cell +position .*\n1 /)
    const [second, first] = faults
    const at1 = await on.called('faults', 'retry', String(first.position))
    expect([at1.code, at1.stderr]).toEqual([2, expect.stringContaining('main-c0, main-c1')])
    const named = await on.printed('faults', 'retry', first.name)
    expect(named).toMatchObject([{ intent: intents[0], outcome: 'allow' }])
    const short = second.name.slice('main-c1.1.'.length)
    expect(await on.printed('faults', 'retry', short)).toMatchObject([{ intent: intents[1] }])
    expect(await on.printed('faults', '--open')).toMatchObject([{ rows: [] }])
    for (const meant of ['fault.policy.1', 'main-c1.1.fault.policy.1', 'main.1.fault.policy.1']) {
      const missing = await on.called('faults', 'retry', meant, '--json')
      expect(json(missing.stdout)[0].error.code).toBe('no_fault')
    }
  })
})
