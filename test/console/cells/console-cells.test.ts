// One console on a realm of two cells: what waits in each is in one inbox, each request is answered
// in the cell that has it, and what all cells share is there once.
import { setTimeout as sleep } from 'node:timers/promises'
import { request as dial } from 'node:http'
import { describe, expect, test } from 'vitest'
import { Prepared } from '#schemas/console/authoring'
import { WorkersAnswer } from '#schemas/console/operating'
import { operations } from '#schemas/operations/table'
import { ConsoleSession } from '#schemas/console/people'
import { CatalogShown } from '#schemas/console/reading'
import { outputOf, type OperationAnswer } from '#schemas/operations/table'
import { CardAnswer, InboxAnswer, PreparedAnswers } from '#schemas/console/reviews'
import { allConsoleRoutes, consoleApi, consoleRoutes } from '#schemas/console/routes'
import { until } from '../../cells/memory-stand.ts'
import { filling } from '../../support/learning-scene.ts'
import { origin, signedBy, type AtBrowser } from '../console-scene.ts'
import {
  cellsScene,
  clientIn,
  contractIn,
  inCell,
  reviewedIn,
  signedIn,
  type CellsScene,
} from './cells-scene.ts'

/** Reviews in both cells, in turns. */
async function asked(scene: CellsScene, count: number): Promise<readonly string[]> {
  const intents: string[] = []
  for (let one = 0; one < count; one += 1) {
    intents.push(await reviewedIn(scene, one % 2, `/tmp/${one}`))
  }
  return intents
}

async function inbox(browser: AtBrowser, query = ''): Promise<InboxAnswer> {
  return InboxAnswer.parse(await browser.get('inbox', { query }))
}

async function answeredYes(browser: AtBrowser, intent: string): Promise<void> {
  const params = { intent }
  const { review } = CardAnswer.parse(await browser.get('card', { params }))
  const body = { answers: review.questions.map(() => true), digest: review.digest }
  const { toSign } = Prepared.parse(await browser.get('answerPrepare', { params, body }))
  const signed = signedBy('olga', toSign)
  await browser.get('answerSubmit', { params, body: { ...body, signed } })
}

const OpenPage = operations.openIntents.output

describe('a console on two cells', () => {
  test('answers each route as the table promises it', async () => {
    const scene = await cellsScene()
    const [, intent = ''] = await asked(scene, 2)
    const contract = await contractIn(scene, 1)
    const [, agent = ''] = scene.agents
    const root = await signedIn(scene, 'root')
    // Only who is asked may read all of what a call would write.
    const olga = await signedIn(scene, 'olga')
    const queries: Readonly<Record<string, string>> = { compare: '?of=catalog&from=r1' }
    for (const name of allConsoleRoutes) {
      const { method, answer } = consoleRoutes[name]
      if (method !== 'get' || answer === null) continue
      if (name === 'grant' || name === 'proposal') continue
      // So many reads at once are more than the server takes from one: it takes ten a second.
      await sleep(100)
      const params = { intent, contract, agent }
      const person = name === 'contents' ? olga : root
      await person.get(name, { params, query: queries[name] ?? '' })
    }
    // No one has answered anything beforehand there, and learning has asked nothing.
    const named = { params: { grant: intent, proposal: intent } }
    expect(await root.refused('grant', named)).toBe('404 no_grant')
    expect(await root.refused('proposal', named)).toBe('404 no_proposal')
    const session = ConsoleSession.parse(await root.get('session'))
    expect(session).toMatchObject({ realm: 'main', person: { id: 'root' } })
    expect(session.position).toMatch(/^c0\.\d+,c1\.\d+$/)
  })

  test('has what waits in both in one inbox, and all of it page by page', async () => {
    const scene = await cellsScene()
    const intents = await asked(scene, 5)
    const olga = await signedIn(scene, 'olga')
    const whole = await inbox(olga)
    expect([whole.count, whole.next]).toEqual([5, null])
    expect(whole.open.map(({ intent }) => intent)).toEqual(intents)
    const paged: string[] = []
    for (let query: string | null = '?limit=2'; query !== null;) {
      const { open, next }: InboxAnswer = await inbox(olga, query)
      paged.push(...open.map(({ intent }) => intent))
      query = next === null ? null : `?limit=2&after=${next}`
    }
    expect(paged).toEqual(intents)
  })

  test('binds an answer in the cell of its intent, and lists it under the past', async () => {
    const scene = await cellsScene()
    const intents = await asked(scene, 4)
    const olga = await signedIn(scene, 'olga')
    for (const intent of intents) await answeredYes(olga, intent)
    for (const cell of [0, 1]) {
      const { runtime } = inCell(scene, cell)
      await until(() => runtime.follower.state.intents.size === 0)
      const names: string[] = []
      for await (const { name } of runtime.log.read({}, [`main-c${cell}.1.decision.>`])) {
        names.push(name)
      }
      expect(names).toHaveLength(2)
    }
    expect((await inbox(olga)).count).toBe(0)
    const past: string[] = []
    for (let query: string | null = '?limit=1'; query !== null;) {
      const page: OperationAnswer<'pastReviews'> = outputOf('pastReviews').parse(
        await olga.get('pastReviews', { query }),
      )
      past.push(...page.rows.map(({ intent }) => intent))
      query = page.next === null ? null : `?limit=1&cursor=${page.next}`
    }
    expect(past).toEqual(intents.toReversed())
  })

  test('prepares answers of both at once, and takes none for another cell', async () => {
    const scene = await cellsScene()
    const intents = await asked(scene, 2)
    const olga = await signedIn(scene, 'olga')
    const items = (await inbox(olga)).open.map(({ intent, digest, questions }) => {
      return { intent, digest, answers: Array.from({ length: questions }, () => true) }
    })
    const prepared = PreparedAnswers.parse(await olga.get('answersPrepare', { body: { items } }))
    const names = prepared.items.map((item) => item.toSign?.of.name.split('.', 1)[0])
    expect(names).toEqual(['main-c0', 'main-c1'])
    const toSign = prepared.items[0]?.toSign ?? null
    const [first, second] = items
    if (toSign === null) throw new Error('it can be signed')
    const signed = signedBy('olga', toSign)
    const { intent: _, ...body } = { ...second, signed }
    const crossed = { params: { intent: intents[1] ?? '' }, body }
    expect(await olga.refused('answerSubmit', crossed)).toMatch(/^409 signing_changed/)
    const { intent: __, ...own } = { ...first, signed }
    await olga.get('answerSubmit', { params: { intent: intents[0] ?? '' }, body: own })
  })

  test('finds facts of both by time, what they share once, and each by its place', async () => {
    const scene = await cellsScene()
    const intents = await asked(scene, 4)
    const root = await signedIn(scene, 'root')
    const found = async (query: string) => {
      return outputOf('facts').parse(await root.get('facts', { query }))
    }
    const messages = await found('?kind=vlp')
    expect(messages.rows.map(({ cell }) => cell)).toEqual([1, 0, 1, 0])
    expect(messages.rows.map(({ name }) => name.split('.').slice(3).join('.'))).toEqual(
      intents.toReversed(),
    )
    const catalogs = await found('?kind=catalog')
    expect(new Set(catalogs.rows.map(({ name }) => name)).size).toBe(catalogs.rows.length)
    const all = await found('?limit=200')
    const paged: string[] = []
    for (let before = ''; ;) {
      const page = await found(`?limit=3${before}`)
      paged.push(...page.rows.map(({ name }) => name))
      if (page.next === null) break
      before = `&cursor=${page.next}`
    }
    expect(paged).toEqual(all.rows.map(({ name }) => name))
    const [newest] = messages.rows
    const behind = `?limit=1&cursor=c${newest?.cell}.${(newest?.position ?? 0) + 1}`
    expect((await found(behind)).rows[0]?.name).toBe(newest?.name)
    expect(await root.refused('facts', { query: '?cursor=soon' })).toMatch(/^400/)
  })

  test('tells the story of an intent from its cell, and knows the catalog at its place', async () => {
    const scene = await cellsScene()
    const [, intent = ''] = await asked(scene, 2)
    const root = await signedIn(scene, 'root')
    const story = outputOf('trace').parse(await root.get('trace', { params: { intent } }))
    expect(story).toMatchObject({ cell: 1, outcome: 'open' })
    const at = `c1.${story.steps[0]?.position}`
    const shown = CatalogShown.parse(await root.get('catalog', { query: `?at=${at}` }))
    expect(shown).toMatchObject({ position: at, revision: 2 })
    expect(CatalogShown.parse(await root.get('catalog', { query: '?at=r1' })).revision).toBe(1)
    for (const query of ['?at=3', '?at=c7.3', '?at=c0.3,c1.3']) {
      expect(await root.refused('catalog', { query }), query).toBe('400 usage')
    }
  })

  test('shows what is open and what runs in each cell', async () => {
    const scene = await cellsScene()
    const intents = await asked(scene, 3)
    const root = await signedIn(scene, 'root')
    const open: string[] = []
    for (let query: string | null = '?limit=2'; query !== null;) {
      const page = OpenPage.parse(await root.get('openIntents', { query }))
      expect(page.count).toBe(3)
      open.push(...page.rows.map(({ intent, cell }) => `${cell} ${intent}`))
      query = page.next === null ? null : `?limit=2&cursor=${page.next}`
    }
    expect(open).toEqual(intents.map((intent, index) => `${index % 2} ${intent}`))
    const { workers } = WorkersAnswer.parse(await root.get('workers'))
    const cellsOf = (name: string) =>
      workers.filter(({ stage }) => stage === name).map(({ cell }) => cell)
    expect(cellsOf('policy')).toEqual([0, 1])
  })

  test('changes the catalog once for all cells', async () => {
    const scene = await cellsScene()
    const root = await signedIn(scene, 'root')
    const params = { agent: scene.agents[1] ?? '' }
    const { toSign } = Prepared.parse(await root.get('suspendPrepare', { params }))
    expect(toSign.of.name).toBe('main.1.catalog.3')
    const body = { signed: signedBy('root', toSign) }
    await root.get('suspendSubmit', { params, body })
    const { state } = inCell(scene, 1).runtime.follower
    await until(() => state.catalogRevision === 3)
    const { reasons } = await (await clientIn(scene, 1)).ask({ tool: 'look' })
    expect(reasons.map(({ code }) => code)).toEqual(['agent_suspended'])
  })

  test('asks a question of both once, and one ruling goes on with what each holds', async () => {
    const scene = await cellsScene()
    const verdicts = [0, 1].map(async (cell) => {
      const client = await clientIn(scene, cell)
      return client.ask({ tool: 'look', concepts: ['moon'], onGap: 'learn' })
    })
    const { learning } = inCell(scene, 0).runtime.follower.state
    expect(learning.open.size).toBe(0)
    const stateOf = (cell: number) => inCell(scene, cell).runtime.follower.state
    await until(() => [0, 1].every((cell) => stateOf(cell).learning.open.size === 1))
    const root = await signedIn(scene, 'root')
    const proposals = async () =>
      operations.proposals.output.parse(await root.get('proposals')).rows
    let [one] = await proposals()
    while (one === undefined || one.releases.length < 2) [one] = await proposals()
    const params = { proposal: one.proposal }
    const candidate = filling(one.data.template)
    const ruling = { ruling: 'modified', digest: one.data.digest, candidate }
    const { toSign } = Prepared.parse(await root.get('rulingPrepare', { params, body: ruling }))
    const body = { ...ruling, signed: signedBy('root', toSign) }
    await root.get('rulingSubmit', { params, body })
    const came = await Promise.all(verdicts)
    expect(came.map(({ outcome }) => outcome)).toEqual(['allow', 'allow'])
  })
})

describe('events of two cells', () => {
  test('name where the page is in each, and go on there', async () => {
    const scene = await cellsScene()
    const root = await signedIn(scene, 'root')
    const listening = await listen(scene, root, {})
    const intents = await asked(scene, 2)
    const all = await listening.until((text) => eventsIn(text).filter(isReview).length === 2)
    const [first, second] = eventsIn(all).filter(isReview)
    expect([first?.data, second?.data]).toMatchObject([
      { kind: 'review', cell: 0, intent: intents[0] },
      { kind: 'review', cell: 1, intent: intents[1] },
    ])
    expect(first?.id).toMatch(/^c0\.\d+,c1\.\d+$/)
    const again = await listen(scene, root, { 'last-event-id': first?.id ?? '' })
    const rest = await again.until((text) => eventsIn(text).some(isReview))
    const after = eventsIn(all).findIndex(({ id }) => id === first?.id) + 1
    const came = eventsIn(rest)
    expect(came.map(({ id }) => id)).toEqual(
      eventsIn(all)
        .slice(after, after + came.length)
        .map(({ id }) => id),
    )
  })

  test('begin again where a cell is not named, and refuse what names nothing', async () => {
    const scene = await cellsScene()
    const root = await signedIn(scene, 'root')
    for (const id of ['17', 'c0.2', 'c0.2,c7.1']) {
      const listening = await listen(scene, root, { 'last-event-id': id })
      await listening.until((text) => text.includes('event: reset'))
    }
    const refused = { headers: { 'last-event-id': 'soon' } }
    expect(await root.refused('events', refused)).toMatch(/^400/)
  })
})

interface Came {
  readonly id: string
  readonly data: unknown
}

function eventsIn(text: string): readonly Came[] {
  return [...text.matchAll(/^id: (.*)\ndata: (.*)$/gm)].map(([, id = '', data = '']) => {
    return { id, data: JSON.parse(data) }
  })
}

function isReview({ data }: Came): boolean {
  return JSON.stringify(data).includes('"kind":"review"')
}

function listen(
  { serving }: CellsScene,
  { cookie }: AtBrowser,
  more: Readonly<Record<string, string>>,
): Promise<{ until(holds: (text: string) => boolean): Promise<string> }> {
  const headers = { host: new URL(origin).host, cookie, ...more }
  return new Promise((resolve, reject) => {
    const request = dial(`${serving.at}${consoleApi}/events`, { headers }, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString('utf8')))
      const came = async (holds: (text: string) => boolean): Promise<string> => {
        await until(() => holds(text))
        response.destroy()
        return text
      }
      resolve({ until: came })
    })
    request.on('error', reject)
    request.end()
  })
}
