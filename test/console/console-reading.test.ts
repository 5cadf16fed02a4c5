// What auditors, operators and authors see and do at the console. Each answer is what the table of
// routes promises.
import { request as dial } from 'node:http'
import { describe, expect, test } from 'vitest'
import { Prepared, PreparedChange } from '#schemas/console/authoring'
import { operations } from '#schemas/operations/table'
import { EnrolmentAnswer, PasskeyToMake } from '#schemas/console/people'
import { CompareAnswer, ConsoleEvent, DeriveAnswer } from '#schemas/console/reading'
import { allConsoleRoutes, consoleApi, consoleRoutes } from '#schemas/console/routes'
import { outputOf } from '#schemas/operations/table'
import { changeCatalog } from '../support/runtime.ts'
import { judged, reviewed } from '../support/scene.ts'
import {
  atBrowser,
  consoleScene,
  linkOf,
  madeFor,
  noOne,
  origin,
  signedBy,
  signedInByLink,
  signedInByPasskey,
  type AtBrowser,
  type ConsoleScene,
} from './console-scene.ts'
import { given, workCatalog } from './standings/standings-scene.ts'

describe('what is read', () => {
  test('is answered as the table promises, each route of it', async () => {
    const { rules, work } = workCatalog
    const scene = await consoleScene({ rules, work, principals: [{ id: 'grader' }] })
    const intent = await reviewed(scene.on, { intent: { tool: 'purge' } })
    const contract = await given(scene.on)
    const root = await signedInByPasskey(scene, 'root')
    // Only who is asked may read all of what a call would write.
    const quin = await signedInByLink(scene, 'quin')
    const queries: Readonly<Record<string, string>> = { compare: '?of=catalog&from=r1' }
    for (const name of allConsoleRoutes) {
      const { method, answer } = consoleRoutes[name]
      if (method !== 'get' || answer === null) continue
      if (name === 'grant' || name === 'proposal') continue
      // So many reads at once are more than the server takes from one.
      scene.on.time.pass(1_000)
      await (name === 'contents' ? quin : root).get(name, {
        params: { intent, contract, agent: 'bot' },
        query: queries[name] ?? '',
      })
    }
    // No one has answered anything beforehand there, and learning has asked nothing.
    const named = { params: { grant: intent, proposal: intent } }
    expect(await root.refused('grant', named)).toBe('404 no_grant')
    expect(await root.refused('proposal', named)).toBe('404 no_proposal')
  })

  test('is found by agent, outcome, rule and person, the newest first', async () => {
    const scene = await consoleScene()
    const { intent } = await judged(scene.on, { intent: { tool: 'look' } })
    await judged(scene.on, { intent: { tool: 'nothing' } })
    const audra = await signedInByLink(scene, 'audra')
    const found = async (query: string) => {
      return outputOf('facts').parse(await audra.get('facts', { query }))
    }
    const verdicts = await found('?kind=verdict')
    expect(verdicts.rows.map(({ tool }) => tool)).toEqual(['nothing', 'look'])
    const allowed = await found('?outcome=allow&agent=bot')
    expect(allowed.rows.map(({ name }) => name)).toEqual([`main.1.verdict.${intent}`])
    expect((await found('?reason=unknown_capability')).rows).toHaveLength(1)
    const byRoot = await found('?person=root&kind=catalog&limit=1')
    expect([byRoot.rows.length, byRoot.next]).toEqual([1, byRoot.rows[0]?.position])
    const before = await found(`?person=root&kind=catalog&cursor=${byRoot.next}`)
    expect(before.rows.every(({ position }) => position < Number(byRoot.next))).toBe(true)
    expect(await audra.refused('facts', { query: '?outcome=maybe' })).toMatch(/^400/)
    expect(await audra.refused('facts', { query: '?agents=bot' })).toMatch(/^400/)
    expect(await audra.refused('facts', { query: '?where=1%20%2B' })).toMatch(/^400/)
  })

  test('of one intent is whole, as facts, as a file and as what to derive it from', async () => {
    const scene = await consoleScene()
    const { intent, name } = await judged(scene.on, { intent: { tool: 'look' } })
    const audra = await signedInByLink(scene, 'audra')
    const params = { intent }
    expect(await audra.get('trace', { params })).toMatchObject({ outcome: 'allow', waits: null })
    const { text, headers } = await audra.ask('evidence', { params })
    expect(headers['content-disposition']).toMatch(/^attachment/)
    const [head = '', ...lines] = text.trimEnd().split('\n')
    expect(JSON.parse(head)).toMatchObject({ intent, facts: lines.length })
    const facts: string[] = []
    for (let from: number | null = 1; from !== null;) {
      const query = `?from=${from}&limit=3`
      const page: DeriveAnswer = DeriveAnswer.parse(await audra.get('derive', { params, query }))
      facts.push(...page.facts.map((fact) => fact.name))
      from = page.next
    }
    expect(facts.at(-1)).toBe(name)
    expect(await audra.refused('trace', { params: { intent: 'bot.-.none' } })).toMatch(/^404/)
    expect(await audra.refused('trace', { params: { intent: '>' } })).toMatch(/^404/)
  })

  test('of two moments is what differs, and an invalid moment is refused', async () => {
    const scene = await consoleScene()
    await changeCatalog(scene.on.runtime, { op: 'suspend', id: 'bot' })
    const audra = await signedInByLink(scene, 'audra')
    const revision = scene.on.runtime.follower.state.catalogRevision
    const query = `?of=catalog&from=r${revision - 1}`
    const { differences } = CompareAnswer.parse(await audra.get('compare', { query }))
    expect(differences).toEqual([
      { pointer: '/principals/bot/suspended', before: false, now: true },
    ])
    expect(await audra.refused('compare', { query: '?of=graph&from=soon' })).toBe('400 usage')
  })

  test('says which reviews no one can answer', async () => {
    const scene = await consoleScene({ groups: [{ id: 'people', members: ['piet', 'quin'] }] })
    const intent = await reviewed(scene.on, { intent: { tool: 'purge' } })
    const audra = await signedInByLink(scene, 'audra')
    const open = async () =>
      operations.openIntents.output.parse(
        await audra.get('openIntents', { query: '?only=unanswerable' }),
      ).rows
    expect(await open()).toEqual([])
    await changeCatalog(
      scene.on.runtime,
      { op: 'suspend', id: 'piet' },
      { op: 'suspend', id: 'quin' },
    )
    expect(await open()).toMatchObject([
      { intent, unanswerable: { needed: 1, can: [], cannot: [{ why: 'suspended' }, {}] } },
    ])
  })
})

describe('events', () => {
  test('have their position as id, go on after the last, and bring others what is theirs', async () => {
    const scene = await consoleScene()
    const audra = await signedInByLink(scene, 'audra')
    const after = scene.on.runtime.follower.state.position
    const { name } = await judged(scene.on, { intent: { tool: 'look' } })
    const came = await events(scene, audra, { after, until: name })
    expect(came.map(({ position }) => position)).toEqual(came.map((_, at) => after + 1 + at))
    expect(came.at(-1)).toMatchObject({ kind: 'verdict', name })
    const intent = await reviewed(scene.on, { intent: { tool: 'purge' } })
    const asked = `main.1.review.${intent}.1`
    await changeCatalog(scene.on.runtime, {
      op: 'put',
      collection: 'groups',
      entry: { id: 'later', members: [] },
    })
    const { catalogRevision } = scene.on.runtime.follower.state
    const until = `main.1.catalog.${catalogRevision}`
    const namesFor = async (person: string) => {
      const browser = await signedInByLink(scene, person)
      return (await events(scene, browser, { after, until })).map((event) => event.name)
    }
    expect(await namesFor('vera')).toEqual([until])
    expect(await namesFor('piet')).toEqual([asked, until])
    // The owner of the agent was not asked about the first, and sees what came of both.
    expect(await namesFor('olga')).toEqual(expect.arrayContaining([name, asked, until]))
  })
})

/** Those that come until one has that name. */
function events(
  { serving }: ConsoleScene,
  { cookie }: AtBrowser,
  { after, until }: { readonly after: number; readonly until: string },
): Promise<readonly ConsoleEvent[]> {
  const headers = { host: new URL(origin).host, cookie, 'last-event-id': String(after) }
  return new Promise((resolve, reject) => {
    const request = dial(`${serving.at}${consoleApi}/events`, { headers }, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => {
        text += part.toString('utf8')
        const found = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => {
          return ConsoleEvent.parse(JSON.parse(data))
        })
        if (!found.some(({ name }) => name === until)) return
        response.destroy()
        resolve(found)
      })
    })
    request.on('error', reject)
    request.end()
  })
}

describe('what an operator signs', () => {
  test('suspends an agent, and nothing else is done by the same signature', async () => {
    const scene = await consoleScene()
    const root = await signedInByPasskey(scene, 'root')
    const params = { agent: 'bot' }
    const { toSign } = Prepared.parse(await root.get('suspendPrepare', { params }))
    const signed = signedBy('root', toSign)
    const body = { signed }
    const other = { params: { agent: 'honest' }, body }
    expect(await root.refused('suspendSubmit', other)).toMatch(/^409 signing_changed/)
    expect(await root.refused('unsuspendSubmit', { params, body })).toMatch(/^409 signing_changed/)
    const piets = { params, body: { signed: signedBy('piet', toSign) } }
    const facts = (await scene.on.facts()).length
    expect(await root.refused('suspendSubmit', piets)).toBe('422 signature_needed')
    expect((await scene.on.facts()).length).toBe(facts)
    await root.get('suspendSubmit', { params, body })
    const { catalog } = scene.on.runtime.follower.state
    expect([...catalog.principals.values()].filter((one) => one.suspended)).toMatchObject([
      { id: 'bot' },
    ])
  })

  test('is a change set as it was drawn up, which is refused once another came first', async () => {
    const scene = await consoleScene()
    const root = await signedInByPasskey(scene, 'root')
    const change = { of: 'graph', operations: [{ op: 'add', name: 'moon' }], note: 'known now' }
    const drawn = async () =>
      PreparedChange.parse(await root.get('changePrepare', { body: change }))
    const [one, other] = [await drawn(), await drawn()]
    expect(await root.get('whatIf', { body: change })).toMatchObject({ flips: [] })
    scene.on.time.pass(1_000)
    const bodyOf = ({ at, toSign }: PreparedChange) => {
      return { change, at, signed: signedBy('root', toSign) }
    }
    await root.get('changeSubmit', { body: bodyOf(one) })
    expect(scene.on.runtime.follower.state.graphRevision).toBe(one.revision)
    expect(await root.refused('changeSubmit', { body: bodyOf(other) })).toMatch(/^409/)
  })

  test('takes back a warrant', async () => {
    const scene = await consoleScene()
    const { name } = await judged(scene.on, { intent: { tool: 'look' } })
    const root = await signedInByPasskey(scene, 'root')
    const body = { target: { verdict: name } }
    const { toSign } = Prepared.parse(await root.get('revokePrepare', { body }))
    await root.get('revokeSubmit', { body: { ...body, signed: signedBy('root', toSign) } })
    const facts = await scene.on.facts('*.*.revocation.*')
    expect(facts.map((fact) => fact.name)).toEqual([`main.1${toSign.of.name.slice(6)}`])
  })
})

describe('a passkey is made', () => {
  test('by a link of a policy admin, once, and counts when it is in the catalog', async () => {
    const scene = await consoleScene()
    const browser = atBrowser(scene, noOne)
    const secret = linkOf(scene, { person: 'vera', for: 'enrol' })
    const state = async () =>
      EnrolmentAnswer.parse(await browser.get('enrolState', { body: { secret } })).state
    expect(await state()).toBe('begun')
    const begun = PasskeyToMake.parse(await browser.get('enrolBegin', { body: { secret } }))
    expect(begun).toMatchObject({ rp: { id: 'localhost' }, user: { name: 'vera' } })
    const challenge = Buffer.from(begun.challenge, 'base64url')
    const made = madeFor('quin', challenge)
    const body = { secret, ...made, label: 'phone' }
    const done = EnrolmentAnswer.parse(await browser.get('enrolComplete', { body }))
    expect(done).toMatchObject({ state: 'waiting', passkey: { label: 'phone' } })
    expect(done.fingerprint).toMatch(/^(?:[0-9a-f]{4} ?){5}$/)
    expect(await browser.refused('enrolBegin', { body: { secret } })).toMatch(/link_used$/)
    expect(await browser.refused('enrolComplete', { body })).toMatch(/link_used$/)
  })

  test('by no link of another, and for no other console', async () => {
    const scene = await consoleScene()
    const browser = atBrowser(scene, noOne)
    for (const changed of [{ by: 'vera' }, { for: 'sign_in' as const }, { origin: 'https://x' }]) {
      const secret = linkOf(scene, { person: 'vera', for: 'enrol', ...changed })
      expect(await browser.refused('enrolBegin', { body: { secret } })).toMatch(/^401/)
    }
  })
})
