// A refusal for a language model: what is missing and what to do, and never how to get around it.
import { expect, test } from 'vitest'
import { modelText, pendingModelText } from '#present/story/for-model'
import { waitsOn } from '#present/story/waits'
import { reasonCodes, Recover } from '#schemas/reasons'

test.each(reasonCodes)('%s has a reason and a step, and no way around', (code) => {
  for (const recover of Recover.options) {
    const duplicate = { fact: 'main.1.vlp.bot.-.A1', path: '/distinct' }
    const params = code === 'duplicate_request' ? duplicate : {}
    const text = modelText('send', [{ code, recover, params }], [])
    expect(text).toMatch(
      /^The tool `send` was not run: [^]*Why:\n- .+[^]*What to do:\n- .+\n- Do not/,
    )
    expect(text).not.toMatch(/distinct|instead|undefined/)
  }
})

test('what is not known is listed, and who has to add it', () => {
  const gap = { kind: 'EXISTENCE' as const, primitive: 'moon' }
  const reason = { code: 'ungrounded' as const, recover: 'learn' as const, params: { gaps: [gap] } }
  const text = modelText('send', [reason], [])
  expect(text).toContain('missing: `moon`')
  expect(text).toContain('a person has to add it')
})

test('what waits is not asked for again', () => {
  const text = pendingModelText({ ...waitsOn('stages'), for: 'people', people: ['ann'], until: 0 })
  expect(text).toContain('approval of a person, until 1970-01-01 00:00:00 UTC')
  expect(text).toContain('Do not call the tool again')
})

test('where only a reason is missing, that is what is asked for', () => {
  const waits = { ...waitsOn('stages'), for: 'people' as const, people: ['ann'], until: 0 }
  const text = pendingModelText({ ...waits, reason: true })
  expect(text).toContain('Only a reason is missing')
  expect(text).toContain('call the tool again for the same with the true reason')
  expect(pendingModelText(waits)).not.toContain('reason')
})
