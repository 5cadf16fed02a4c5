// A search in English: what was searched for, and what was found, for anyone who reads the log.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readData } from '#record/event'
import { messagePhrase, verdictPhrase } from '#present/story/phrase'
import { verdictSaid } from '#present/story/chapter'
import { readGolden } from '../../golden/golden-log.ts'

const folder = fileURLToPath(new URL('../../golden/0.2.0-search', import.meta.url))

test('the line of a search says for what, and that of its verdict how many it found', async () => {
  const facts = await readGolden(folder)
  const asked = facts.filter(({ name }) => name.includes('.vlp.')).map(messagePhrase)
  expect(asked[0]).toMatch(/^searches for subjects by `file\.read` \{/)
  expect(
    asked.filter((one) => one.startsWith('searches for resources by `file.open`')),
  ).toHaveLength(4)
  expect(asked.filter((one) => one.startsWith('searches for actions by `file.*`'))).toHaveLength(4)
  const verdicts = facts.flatMap((fact) => {
    return fact.name.includes('.verdict.') ? (readData('verdict', fact) ?? []) : []
  })
  const [first] = verdicts
  expect(verdicts.map(verdictPhrase)).toContain('found 1 of 2')
  expect(first === undefined ? null : verdictSaid(first)).toEqual({
    title: 'It found 2 of 2 that it looked at',
    details: ['found: `ann`, `ben@x.org`'],
    tone: 'good',
  })
  const page = verdicts.find(({ found }) => found?.next !== undefined)
  expect(page === undefined ? null : verdictSaid(page).details).toContain(
    'there are more to look at',
  )
})
