// An allow that no stage bound, as the console lists it: in what a search finds and among the
// reviews that are past, from a log that it follows and from one that it was started on later.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { outputOf } from '#schemas/operations/table'
import { foundFact } from '#present/auditing/found-text'
import { madeUp } from '../../support/forger.ts'
import { judged, place, scene, type Scene } from '../../support/scene.ts'
import { openReview, quorumOne } from '../answering-scene.ts'
import { consoleScene, servedOn, signedInByLink, signedInByPasskey } from '../console-scene.ts'

const why = 'no stage would have bound it where it stands'

async function allowed({ log, time }: Scene, address: string, review: string | null) {
  const { position: basis } = await log.head()
  await log.append(madeUp(address, { basis, time: new Date(time.now).toISOString(), review }))
}

async function forgedScene() {
  const of = await consoleScene(quorumOne)
  const { intent: honest } = await judged(of.on, { intent: { tool: 'look' } })
  const asked = await openReview(of)
  await allowed(of.on, asked, nameOf(place, 'review', asked, 1))
  return { of, honest, asked }
}

test('a search shows it as void, and the allow of a stage as it is', async () => {
  const { of, honest, asked } = await forgedScene()
  const later = await scene(of.on.setup, of.on)
  const started = { on: later, serving: await servedOn(later) }
  for (const each of [of, started]) {
    const audra = await signedInByLink(each, 'audra')
    // What is read twice is shown so twice.
    for (const one of ['outcome=allow', 'kind=verdict', 'outcome=allow']) {
      const query = `?${one}&content=true`
      const answer = outputOf('facts').parse(await audra.get('facts', { query }))
      const shown = new Map(answer.rows.map((fact) => [fact.name, fact]))
      const forged = shown.get(nameOf(place, 'verdict', asked))
      const sound = shown.get(nameOf(place, 'verdict', honest))
      expect([forged?.void, sound?.void, answer.asRecorded]).toEqual([why, undefined, 0])
      const words = [forged, sound].map((fact) => fact && foundFact(fact, 'main'))
      expect(words).toMatchObject([
        { phrase: `counts for nothing: ${why}`, tone: 'bad' },
        { phrase: 'allow', tone: 'good' },
      ])
    }
  }
})

test('a review that it ended is past as one that came to nothing', async () => {
  const { of, asked } = await forgedScene()
  const quin = await signedInByPasskey(of, 'quin')
  const past = outputOf('pastReviews').parse(await quin.get('pastReviews'))
  expect(past.rows.map(({ intent, ended }) => [intent, ended])).toEqual([[asked, 'void']])
})
