// An agent over HTTP: it asks, waits for people, runs a tool once, and never runs one on an answer
// that it did not get.
import { describe, expect, test } from 'vitest'
import { Pending, Refused } from '#client/over-http/connect-http'
import { replayed } from '../../support/scene.ts'
import { erasing, kimsKey, lookAt } from '../../http/http-door.ts'
import { codeOf, line, overHttp, reviewed } from './over-http-scene.ts'

describe('asking over HTTP', () => {
  test('gives the verdict as a client on the log gives it', async () => {
    const { door, as } = await overHttp()
    const ada = await as('ada')
    expect(ada.principal).toBe('ada')
    const verdict = await ada.ask(lookAt(1))
    const { intent, name } = verdict
    expect(verdict).toEqual(await door.on.bot.verdict(intent))
    expect([verdict.outcome, name]).toEqual(['allow', `main.1.verdict.${intent}`])
    const denied = await ada.ask({ tool: 'lok' })
    expect(denied).toEqual(await door.on.bot.verdict(denied.intent))
    expect(denied.reasons[0]?.code).toBe('unknown_capability')
  })

  test('reports people as soon as they are asked, and waits for them', async () => {
    const { door, as } = await overHttp()
    const ada = await as('ada')
    const seen: string[] = []
    const asked = ada.ask(erasing, {
      onReview: ({ people }, intent) => {
        seen.push(`${people.join(' ')} ${intent}`)
        return true
      },
    })
    const intent = await reviewed(door)
    await expect.poll(() => seen).toEqual([`olga ${intent}`])
    await door.on.decide(intent, 'olga')
    expect(await asked).toMatchObject({ outcome: 'allow', confirmedBy: ['olga'] })
  })

  test.each([[undefined], [5_000]])(
    'leaves at once where people are not waited for (%s)',
    async (waitMs) => {
      const { as } = await overHttp()
      const ada = await as('ada')
      const asked = ada.ask(erasing, {
        onReview: () => false,
        ...(waitMs !== undefined && { waitMs }),
      })
      const pending: unknown = await asked.catch((error: unknown) => error)
      expect(pending).toBeInstanceOf(Pending)
      if (!(pending instanceof Pending)) return
      expect(pending.waits).toMatchObject({ for: 'people', people: ['olga'] })
      expect(pending.forModel()).toContain('approval of a person')
    },
  )

  test('ends with its time, and finds the verdict later', async () => {
    const { door, as } = await overHttp()
    const ada = await as('ada')
    expect(await codeOf(ada.ask(erasing, { waitMs: 0 }))).toBe('no_verdict')
    const intent = await reviewed(door)
    expect(await codeOf(ada.verdict(intent, 0))).toBe('no_verdict')
    await door.on.decide(intent, 'olga')
    expect(await ada.verdict(intent)).toMatchObject({ outcome: 'allow' })
  })

  test('ends when its signal does, and the intent stands', async () => {
    const { door, as } = await overHttp()
    const ada = await as('ada')
    const leaving = new AbortController()
    const asked = ada.ask(erasing, { signal: leaving.signal })
    const intent = await reviewed(door)
    leaving.abort(new Error('the user left'))
    await expect(asked).rejects.toThrow('the user left')
    expect(await codeOf(ada.verdict(intent, 0))).toBe('no_verdict')
  })

  test('under one key is one intent, from any client', async () => {
    const { door, as } = await overHttp()
    const [one, two] = [await as('ada'), await as('ada')]
    const key = 'the order № 17'
    const first = await one.ask(lookAt(1), { key })
    expect((await two.ask(lookAt(1), { key })).intent).toBe(first.intent)
    expect(await codeOf(two.ask(lookAt(2), { key }))).toBe('request_differs')
    expect((await replayed(door.on)).differences).toBe(0)
  })

  test('is no intent of its own where it cannot be carried whole', async () => {
    const { as } = await overHttp()
    const ada = await as('ada')
    const more = { message: { confidence: 0.9 } }
    expect(await codeOf(ada.ask(lookAt(1), more))).toBe('not_over_http')
    expect(await codeOf(ada.publish({ type: 'claim', content: 'x' }))).toBe('not_over_http')
    expect(await codeOf(ada.endSession(ada.session()))).toBe('not_over_http')
    expect(await codeOf(ada.shortlist('look', { record: false }))).toBe('not_over_http')
    expect(await codeOf(ada.call(lookAt(1)))).toBe('gateway_missing')
  })

  test('takes an intent back', async () => {
    const { door, as } = await overHttp()
    const ada = await as('ada')
    const asked = ada.ask(erasing)
    await ada.withdraw(await reviewed(door), 'no longer needed')
    expect((await asked).reasons).toMatchObject([{ code: 'withdrawn' }])
  })

  test('offers what fits a goal, and the intent cites it', async () => {
    const { as } = await overHttp()
    const ada = await as('ada')
    const offer = await ada.shortlist('look at it')
    expect(ada.pick(offer, 'LOOK')).toEqual({ id: 'look' })
    expect((await ada.ask(lookAt(1), { routing: offer.routing })).outcome).toBe('allow')
  })
})

describe('a guard over HTTP', () => {
  test('runs on an allow, once, and records what came of it', async () => {
    const { door, as } = await overHttp()
    const ada = await as('ada')
    const ran: object[] = []
    const look = ada.guard('look', (args: { at: number }) => ran.push(args))
    expect(await look({ at: 1 })).toBe(1)
    expect(ran).toEqual([{ at: 1 }])
    const outcome = await door.on.bound('main.1.ownoutcome.>')
    const intent = outcome.name.split('.').slice(3).join('.')
    expect(await codeOf(look.redeem(intent))).toBe('warrant_used')
    expect(ran).toHaveLength(1)
    expect((await replayed(door.on)).differences).toBe(0)
  })

  test('does not run on a deny', async () => {
    const { as } = await overHttp()
    const ada = await as('ada')
    const lok = ada.guard('lok', () => 'ran')
    const refused: unknown = await lok({}).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refused)
  })

  test('runs what was asked before by another process, with what was judged', async () => {
    const { door, as } = await overHttp()
    const [before, after] = [await as('ada'), await as('ada')]
    expect(await codeOf(before.ask(erasing, { onReview: () => false }))).toBe('no_verdict')
    const intent = await reviewed(door)
    after.guard('erase', (args: object) => args)
    const running = after.redeem(intent)
    await door.on.decide(intent, 'olga')
    expect(await running).toEqual({ n: 1 })
    expect(await codeOf(after.redeem('bea.-.x'))).toBe('no_intent')
  })

  test('records the failure of what it ran', async () => {
    const { door, as } = await overHttp()
    const ada = await as('ada')
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    const look = ada.guard('look', () => {
      throw full
    })
    await expect(look({ at: 1 })).rejects.toBe(full)
    const fact = await door.on.bound('main.1.ownoutcome.>')
    expect(JSON.stringify(fact)).toContain('ENOSPC')
  })
})

describe('an agent with a key', () => {
  test('asks, takes back and delegates by messages that it signs', async () => {
    const { door, as } = await overHttp()
    const kim = await as('kim', { privateKey: kimsKey })
    const key = 'one'
    const first = await kim.ask(lookAt(1), { key, message: { confidence: 0.7 } })
    expect(first.outcome).toBe('allow')
    expect((await kim.ask(lookAt(1), { key })).intent).toBe(first.intent)
    expect(await codeOf(kim.ask(lookAt(2), { key }))).toBe('request_differs')
    const asked = kim.ask(erasing)
    await kim.withdraw(await reviewed(door))
    expect((await asked).outcome).toBe('deny')
    const session = kim.session()
    const until = door.on.time.now + 60_000
    const delegated = await kim.delegate({ session, to: 'ada', capabilities: ['look'], until })
    expect(delegated.appended).toBe(true)
    expect(await kim.guard('look', () => 'ran')({ at: 3 })).toBe('ran')
    expect((await replayed(door.on)).differences).toBe(0)
  })

  test('is refused without it', async () => {
    const { as } = await overHttp()
    const kim = await as('kim')
    expect(await codeOf(kim.ask(lookAt(1)))).toBe('signature_needed')
  })
})

describe('evidence over HTTP', () => {
  test('is what another said in the session, once under one key', async () => {
    const { as } = await overHttp()
    const [ann, ada] = [await as('ann'), await as('ada')]
    const session = ada.session()
    const asked = { tool: 'mail', args: { to: 'ben@example.org' } }
    const alone = ada.ask(asked, { session, onReview: () => false })
    expect(await codeOf(alone)).toBe('no_verdict')
    const to = { session: ann.session(session.id), receiver: 'ada', key: 'turn-1' }
    const said = await ann.say('write to ben@example.org', to)
    const again = await ann.say('write to ben@example.org', to)
    expect([said.appended, again.appended, again.name]).toEqual([true, false, said.name])
    const resting = await ada.ask({ ...asked, distinct: true }, { session })
    expect(resting.outcome).toBe('allow')
  })
})

describe('the stream of verdicts', () => {
  test('has each of one’s own, and goes on where it was cut off', async () => {
    const { door, as } = await overHttp()
    const cut = { count: 0 }
    const { fetch } = line((call) => {
      if (call !== 'GET /v1/events') return null
      cut.count += 1
      return cut.count === 1 ? new Response(null) : null
    })
    const ada = await as('ada', { fetch })
    const bea = await as('bea')
    const { position } = door.on.runtime.follower.state
    const first = await ada.ask(lookAt(1))
    await bea.ask(lookAt(1))
    const second = await ada.ask(lookAt(2))
    const seen: string[] = []
    for await (const verdict of ada.verdicts({ after: position })) {
      seen.push(verdict.intent)
      if (seen.length === 2) break
    }
    expect(seen).toEqual([first.intent, second.intent])
  })

  test('ends with what the server refuses', async () => {
    const { as } = await overHttp()
    const ada = await as('ada')
    const leaving = new AbortController()
    const next = ada.verdicts({ signal: leaving.signal }).next()
    leaving.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
  })
})
