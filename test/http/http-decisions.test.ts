// People answer reviews over HTTP: what their own key has signed is bound once, as it was signed;
// the server makes nothing of it, and no one else's credential sends it.
import { describe, expect, test } from 'vitest'
import { connectHttp } from '#client/over-http/connect-http'
import { publicKeyOf, signData } from '#record/crypto/private-key'
import { jsonOf } from '#record/canonical'
import { createToken } from '#serving/token-file'
import { CallerAnswer } from '#schemas/http/bodies'
import { outputOf } from '#schemas/operations/table'
import { changeCatalog, keys, newKey } from '../support/runtime.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { answer, call, httpDoorScene, refusal, type HttpDoor } from './http-door.ts'

interface Answering {
  readonly door: HttpDoor
  /** The token of that person. */
  readonly headersOf: (person: 'olga' | 'piet') => Readonly<Record<string, string>>
  readonly tokenOf: (person: 'olga' | 'piet') => string
}

async function answering(): Promise<Answering> {
  const door = await httpDoorScene()
  const bare = { roles: [], attributes: {}, suspended: false, via: ['http'] }
  await changeCatalog(
    door.on.runtime,
    ...(['olga', 'piet'] as const).map((id) => {
      const entry = { ...bare, id, keys: [publicKeyOf(keys[id])] }
      return { op: 'put' as const, collection: 'principals' as const, entry }
    }),
  )
  const made = async (principal: string) =>
    (await createToken(door.file, { principal, now: door.on.time.now, expiresAt: null })).token
  const tokens = { olga: await made('olga'), piet: await made('piet') }
  const tokenOf = (person: 'olga' | 'piet'): string => tokens[person]
  const headersOf = (person: 'olga' | 'piet') => ({ authorization: `Bearer ${tokens[person]}` })
  return { door, tokenOf, headersOf }
}

/** Ada asks to erase, and her owner is asked. */
async function asked({ door }: Answering): Promise<string> {
  const body = { tool: 'erase', args: { path: '/srv/a' } }
  const { status, body: waits } = await answer(door, 'ask', { body })
  expect([status, waits['state']]).toEqual([202, 'waiting'])
  return waits.intent
}

interface Made {
  readonly by?: 'olga' | 'piet'
  readonly yes?: boolean
  readonly privateKey?: string
  readonly content?: object
}

/** What such a person’s program would send. */
async function made(of: Answering, intent: string, given: Made = {}) {
  const { by = 'olga', yes = true, privateKey = keys[by], content = {} } = given
  const asking = { as: null, headers: of.headersOf('olga') }
  const shown = await call(of.door, 'review', { ...asking, id: intent })
  const { review: found } = outputOf('review').parse(await shown.json())
  const { review, name: asks } = found
  const caller = await call(of.door, 'caller', asking)
  const { realm, era, log } = CallerAnswer.parse(await caller.json())
  const said = {
    answers: review.questions.map(() => yes),
    confirmer: by,
    digest: review.digest,
    intent: review.intent,
    review: asks,
    ...content,
  }
  const name = `${realm}.${era}.decision.${intent}.${review.number}.${by}`
  const signature = signData({ log, name }, jsonOf(said), privateKey)
  return { name, data: { ...said, signature } }
}

const sends = (of: Answering, body: unknown, as: 'olga' | 'piet' = 'olga') =>
  answer(of.door, 'decide', { as: null, headers: of.headersOf(as), body })
const refusedAs = (of: Answering, body: unknown, as: 'olga' | 'piet' = 'olga') =>
  refusal(of.door, 'decide', { as: null, headers: of.headersOf(as), body })

describe('an answer over HTTP', () => {
  test('is bound as it was signed, once, and what is decided follows', async () => {
    const of = await answering()
    const intent = await asked(of)
    const body = await made(of, intent)
    expect(await sends(of, body)).toMatchObject({ status: 201, body: { name: body.name } })
    const facts = await of.door.on.facts(`main.1.decision.>`)
    expect(facts.map(({ name, data }) => [name, data])).toEqual([[body.name, body.data]])
    const verdict = await answer(of.door, 'intent', { id: intent, query: '?wait=60' })
    expect(verdict.body).toMatchObject({ outcome: 'allow', confirmedBy: ['olga'] })
    // The same again changes nothing, and another answer is too late.
    expect((await sends(of, body)).status).toBe(200)
    const no = { ...body, data: { ...body.data, answers: [false] } }
    expect(await refusedAs(of, no)).toBe('422 signature_needed')
    expect(await of.door.on.facts(`main.1.decision.>`)).toHaveLength(1)
  })

  test('counts once of one person, whatever the second says', async () => {
    const of = await answering()
    const intent = await asked(of)
    const [yes, no] = [await made(of, intent), await made(of, intent, { yes: false })]
    const both = await Promise.all([sends(of, yes), sends(of, no)])
    const [first, second] = both.map(({ status }) => status).toSorted((one, two) => one - two)
    expect(first).toBe(201)
    expect([404, 409]).toContain(second)
    expect(await of.door.on.facts(`main.1.decision.>`)).toHaveLength(1)
    expect(await refusedAs(of, no)).toMatch(/^(404 no_review|409 decided)/)
  })

  test('of another key, by another credential, or of who is not asked is not bound', async () => {
    const of = await answering()
    const intent = await asked(of)
    const own = await made(of, intent)
    expect(await refusedAs(of, await made(of, intent, { privateKey: newKey() }))).toBe(
      '422 signature_needed',
    )
    expect(await refusedAs(of, own, 'piet')).toBe('403 caller_refused not_confirmer')
    // An agent with a token answers nothing, in no one's name.
    expect(await refusal(of.door, 'decide', { as: 'ada', body: own })).toBe(
      '403 caller_refused not_confirmer',
    )
    expect(await refusedAs(of, await made(of, intent, { by: 'piet' }), 'piet')).toBe(
      '404 no_review',
    )
    const elsewhere = {
      ...own,
      data: { ...own.data, intent: { ...own.data.intent, address: 'x.-.Y' } },
    }
    expect(await refusedAs(of, elsewhere)).toBe('422 signature_needed')
    expect(await refusal(of.door, 'decide', { as: null, body: own })).toMatch(/^401/)
    expect(await of.door.on.facts(`main.1.decision.>`)).toEqual([])
  })

  test('to something else than is asked now is not bound', async () => {
    const of = await answering()
    const intent = await asked(of)
    const other = { digest: `sha256:${'0'.repeat(64)}` }
    expect(await refusedAs(of, await made(of, intent, { content: other }))).toMatch(
      /^422 decision_void/,
    )
    const stale = { review: `main.1.review.${intent}.7` }
    expect(await refusedAs(of, await made(of, intent, { content: stale }))).toMatch(
      /^409 signing_changed/,
    )
    expect(await refusedAs(of, await made(of, intent, { content: { answers: [] } }))).toMatch(
      /^422 decision_void/,
    )
    // Signed in time, and sent when it is too late.
    const own = await made(of, intent)
    of.door.on.time.pass(8 * 86_400_000)
    expect(await refusedAs(of, own)).toMatch(/^(?:404 no_review|422 decision_void)$/)
    expect(await of.door.on.facts(`main.1.decision.>`)).toEqual([])
  })

  test('of any other shape is refused as such, and binds nothing', async () => {
    const of = await answering()
    const own = await made(of, await asked(of))
    const { signature, ...unsigned } = own.data
    const garbage: readonly unknown[] = [
      null,
      [],
      '{',
      {},
      { ...own, more: true },
      { name: own.name, data: unsigned },
      { name: own.name, data: { ...own.data, answers: ['yes'] } },
      { name: own.name, data: { ...own.data, signature: 'x' } },
      { name: '', data: own.data },
    ]
    for (const body of garbage) expect(await refusedAs(of, body)).toBe('400 request_invalid')
    const forged = { ...signature, value: 'A'.repeat(86) }
    for (const body of [
      { name: own.name, data: { ...own.data, signature: forged } },
      { name: `${own.name}.x`, data: own.data },
      { name: 'main.1.verdict.>', data: own.data },
      { name: own.name.replace('main.1.', 'main.2.'), data: own.data },
    ]) {
      expect(await refusedAs(of, body)).toBe('422 signature_needed')
    }
    expect(await of.door.on.facts(`main.1.decision.>`)).toEqual([])
  })

  test('is taken of no one to whom the catalog does not assign the door', async () => {
    const of = await answering()
    const own = await made(of, await asked(of))
    const olga = { roles: [], attributes: {}, suspended: false, keys: [publicKeyOf(keys.olga)] }
    for (const change of [{}, { via: ['audit'] }, { via: ['http'], suspended: true }]) {
      const entry = { ...olga, ...change, id: 'olga' }
      await changeCatalog(of.door.on.runtime, { op: 'put', collection: 'principals', entry })
      expect(await refusedAs(of, own)).toMatch(/^403 door_refused/)
    }
    expect(await of.door.on.facts(`main.1.decision.>`)).toEqual([])
  })

  test('is what a client signs and sends; it sees what is theirs, and no door speaks for it', async () => {
    const of = await answering()
    const intent = await asked(of)
    const at = { url: of.door.serving.url, plain: true }
    const olga = await connectHttp({ ...at, token: of.tokenOf('olga'), privateKey: keys.olga })
    const piet = await connectHttp({ ...at, token: of.tokenOf('piet'), privateKey: keys.piet })
    endWithTest(async () => {
      await olga.close()
      await piet.close()
    })
    const { rows } = await olga.read('reviews')
    expect(rows.map((row) => row.intent)).toEqual([intent])
    expect((await piet.read('reviews')).count).toBe(0)
    const [row = expect.fail('no one is asked')] = rows
    await expect(piet.decide({ review: row, answers: true })).rejects.toMatchObject({
      code: 'no_review',
    })
    const { review } = row
    const terms = { ...review.terms, args: { path: '/srv/b' } }
    const altered = { ...row, review: { ...review, terms } }
    await expect(olga.decide({ review: altered, answers: true })).rejects.toMatchObject({
      code: 'review_altered',
    })
    await expect(olga.read('facts')).rejects.toMatchObject({ code: 'reader_refused' })
    const no = { review: row, answers: false, note: 'not that' }
    const bound = await olga.decide(no)
    expect(bound.appended).toBe(true)
    expect(await olga.decide(no)).toEqual({ ...bound, appended: false })
    await expect(olga.decide({ review: row, answers: true })).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:decided|no_review)$/),
    })
    const verdict = await answer(of.door, 'intent', { id: intent, query: '?wait=60' })
    expect(verdict.body).toMatchObject({ outcome: 'deny' })
    await expect(olga.ask({ tool: 'look', args: {} })).rejects.toMatchObject({
      code: 'door_refused',
    })
  })
})
