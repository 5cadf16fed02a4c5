// People on servers: each review is sent to those whom it asks, and to each alone. Programs that
// know nothing of ours read it, sign and answer; an answer to what no one asked has no effect.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicKeyOf, signData } from '#record/crypto/private-key'
import { jsonOf } from '#record/canonical'
import { readData, writeEvent } from '#record/event'
import { token } from '#record/names'
import { assert } from '#record/fault'
import { digestOfContent } from '#stages/review'
import type { Runtime } from '#runtime/engine/runtime'
import { JetStreamAppends } from '#log/jetstream/appends'
import { Requests } from '#log/nats/requests'
import type { ReviewData } from '#schemas/review'
import { besideLog } from '#schemas/beside-log'
import { Pending } from '#client/pending'
import { handOver, sayAbsent } from '#client/people/decide'
import type { Warrant } from '#client/warrant'
import { newKey } from '../support/runtime.ts'
import { look } from '../support/scene.ts'
import { canStartNats, until } from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { deploy, startStages, type Deployment } from '../client/nats-client-scene.ts'
import { agentPrograms, type AgentProgram } from './agents-programs.ts'

const olga = 'olga@example.com'
const keys = { confirmer: newKey(), answerer: newKey(), [olga]: newKey() }
type Person = keyof typeof keys

const four = { id: 'four', tier: 'four_eyes' as const, group: 'people', sessionless: true }
const asks = { name: 'asks', effect: 'confirm' as const, when: 'true', confirmation: 'four' }
const setup = {
  catalog: {
    capabilities: [{ ...look, id: 'pay', conditions: [asks] }],
    principals: [
      ...Object.entries(keys).map(([id, key]) => ({ id, keys: [publicKeyOf(key)] })),
      { id: 'agent', owner: 'root' },
      { id: 'other', owner: 'root' },
    ],
    confirmations: [{ ...four, deputies: true as const }],
    groups: [{ id: 'people', members: ['confirmer', 'answerer'] }],
  },
}

describe.skipIf(!canStartNats)('people on a server that holds each to its own', () => {
  let on: Deployment
  let agent: Warrant
  let knowing: Runtime
  let orders = 0
  beforeAll(async () => {
    on = await deploy('roles', setup)
    await startStages(on)
    knowing = await on.run('confirmer', [])
    agent = await on.client('agent', { reads: 'own' })
  })
  afterAll(() => on.dispose())

  /** What comes to that person from now on, and the plain connection on which it comes. */
  async function listening(person: Person) {
    const link = await on.link(person)
    const came: { readonly subject: string; readonly bytes: Uint8Array; readonly for: string }[] =
      []
    link.subscribe(`main.toreview.${token(person)}.>`, (message) => {
      const { subject, bytes } = message
      came.push({ subject, bytes, for: message.header('Warrant-For') })
    })
    await link.flush()
    return { link, came }
  }

  async function opened(): Promise<{ readonly intent: string; readonly review: ReviewData }> {
    const asking = agent.ask({ tool: 'pay', args: { order: (orders += 1) } }, { waitMs: 0 })
    const pending: unknown = await asking.catch((error: unknown) => error)
    assert(pending instanceof Pending, 'it waits for people')
    const { intent } = pending
    const { intents } = knowing.follower.state
    await until(() => (intents.get(intent)?.review ?? null) !== null)
    const name = intents.get(intent)?.review?.name ?? ''
    const review = readData('review', await knowing.log.get(name))
    assert(review !== null, 'people are asked')
    return { intent, review }
  }

  const binder = async () =>
    new JetStreamAppends(new Requests(await on.link('answerer')), { batches: false })
  const hasDecision = (intent: string): boolean =>
    knowing.follower.state.intents.get(intent)?.decisions.length === 1
  const subjectFor = (person: Person, intent: string) =>
    `main.toreview.${token(person)}.${intent}.1`

  test('each whom a review asks is sent it as it is bound, and no one else', async () => {
    const [one, two, none] = [
      await listening('confirmer'),
      await listening('answerer'),
      await listening(olga),
    ]
    const { intent } = await opened()
    await until(() => one.came.length > 0 && two.came.length > 0)
    expect(two.came.map(({ subject }) => subject)).toEqual([subjectFor('answerer', intent)])
    // The tokens that the AsyncAPI document has after the realm and the kind.
    expect(two.came[0]?.subject.split('.').slice(2)).toHaveLength(besideLog.toreview.tokens.length)
    const bound = await knowing.log.get(`main.1.review.${intent}.1`)
    expect(two.came[0]?.bytes).toEqual(bound?.bytes)
    expect(none.came).toEqual([])
  })

  test('who was away asks, and is sent all that ask them still', async () => {
    const before = await opened()
    const { link, came } = await listening('answerer')
    link.publish('main.missed.answerer', '')
    await until(() => came.some(({ subject }) => subject.includes(before.intent)))
    expect(came.every(({ subject }) => subject.startsWith('main.toreview.answerer.'))).toBe(true)
  })

  test('to whom it is handed over, and who stands in, are sent it', async () => {
    const { intent } = await opened()
    const { came } = await listening('answerer')
    const byConfirmer = { confirmer: 'confirmer', privateKey: keys.confirmer }
    await handOver(knowing, { ...byConfirmer, intent, to: 'answerer' })
    await until(() => came.length > 0)
    expect(came[0]?.subject).toBe(subjectFor('answerer', intent))
    const deputy = await listening(olga)
    const later = knowing.logClock.now() + 3_600_000
    await sayAbsent(knowing, { ...byConfirmer, deputy: olga, until: later })
    await until(() => deputy.came.some(({ subject }) => subject === subjectFor(olga, intent)))
    const next = await opened()
    await until(() => deputy.came.some(({ subject }) => subject === subjectFor(olga, next.intent)))
    expect(new Set(deputy.came.map((one) => one.for))).toEqual(new Set(['confirmer']))
    await sayAbsent(knowing, { ...byConfirmer, deputy: null, until: null })
  })

  test.each(['main.toreview.confirmer.>', 'main.toreview.>', 'main.*.review.>', 'main.1.review.>'])(
    'no one listens to %s but whom it is about',
    async (subject) => {
      for (const user of ['answerer', 'agent', 'auditor', olga] as const) {
        const link = await on.link(user)
        const came: string[] = []
        link.subscribe(subject, (message) => void came.push(message.subject))
        await link.flush()
        const own = await listening('answerer')
        await opened()
        await until(() => own.came.length > 0)
        await link.flush()
        expect(came).toEqual([])
      }
    },
  )

  test('no one but confirmation sends a review', async () => {
    const { came } = await listening('answerer')
    for (const user of ['agent', 'tool', 'policy', 'confirmer', 'answerer', 'console'] as const) {
      const link = await on.link(user)
      link.publish('main.toreview.answerer.agent.-.forged.1', '{}')
      await link.flush()
    }
    const { intent } = await opened()
    await until(() => came.length > 0)
    expect(came.map(({ subject }) => subject)).toEqual([subjectFor('answerer', intent)])
  })

  test('a answerer reads nothing else of the log, and answers for no one else', async () => {
    await expect(on.run('answerer', [])).rejects.toMatchObject({ code: 'not_permitted' })
    const { review } = await opened()
    const own = await on.ownLog('answerer')
    const binding = (await binder()).push(answerTo(review, 'confirmer'))
    await expect(binding).rejects.toMatchObject({ code: 'not_permitted' })
    const read = own.get(`main.1.review.${review.intent.address}.1`)
    await expect(read).rejects.toMatchObject({ code: 'not_permitted' })
  })

  test('what is answered to a forged review has no effect', async () => {
    const { intent, review } = await opened()
    const args = { to: 'ann' }
    const forged = { ...review, terms: { ...review.terms, args } }
    const digest = digestOfContent({ ...forged, agent: review.intent.agent })
    const { name, bytes } = answerTo({ ...forged, digest }, 'answerer')
    await (await binder()).push({ name, bytes })
    await until(() => hasDecision(intent))
    const open = knowing.follower.state.intents.get(intent)
    expect(open?.review).not.toBeNull()
    await expect(agent.verdict(intent, 0)).rejects.toMatchObject({ code: 'no_verdict' })
  })

  describe.each(agentPrograms)('a person in $language', (program) => {
    test.runIf(program.isHere)('reads what asks them, signs, and is believed', async () => {
      const missed = await opened()
      const running = await started(program)
      expect(await agent.verdict(missed.intent, 60_000)).toMatchObject({ outcome: 'allow' })
      const later = await agent.ask({ tool: 'pay', args: { order: (orders += 1) } })
      expect(later).toMatchObject({ outcome: 'allow' })
      const answer = await knowing.log.get(`main.1.decision.${missed.intent}.1.answerer`)
      expect(readData('decision', answer)?.note).toBe('the order was checked')
      await running.end()
    })
  })

  async function started(program: AgentProgram) {
    const folder = await temporaryFolder()
    const file = join(folder, 'answerer.pem')
    await writeFile(file, keys.answerer)
    const [command = '', ...before] = await program.person()
    const seed = await on.seedFile('answerer')
    const env = { ...process.env, WARRANT_LOG: on.url, WARRANT_NATS_NKEY_FILE: seed }
    const child = spawn(command, [...before, 'answerer', file], { env })
    // As a person does at each question.
    child.stdout.on('data', (text) => {
      for (const _ of String(text).matchAll(/\(condition\) \[y REASON\/N\]/g)) {
        child.stdin.write('y the order was checked\n')
      }
    })
    child.stderr.pipe(process.stderr)
    return {
      end: async () => {
        child.kill()
        await once(child, 'exit')
      },
    }
  }
})

/** What that person would bind as an answer to it. */
function answerTo(review: ReviewData, person: 'confirmer' | 'answerer') {
  const { intent, digest, log } = review
  const name = `main.1.decision.${intent.address}.1.${person}`
  const reviewed = `main.1.review.${intent.address}.1`
  const said = { answers: [true], confirmer: person, digest, intent, review: reviewed }
  const signature = signData({ log, name }, jsonOf(said), keys[person])
  const stamp = { source: `confirmer/${person}`, time: '2026-01-01T00:00:00Z', basis: 0 }
  return { name, bytes: writeEvent('decision', name, jsonOf({ ...said, signature }), stamp) }
}
