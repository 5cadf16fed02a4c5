// Reasons joined in one sentence have one end, whatever their authors wrote at theirs.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reasonText } from '#present/reason-text'
import { inOneSentence } from '#present/wording'
import { ReasonCode } from '#schemas/reasons'

test('no two full stops stand together, and the last is there', () => {
  const message = fc.constantFrom(
    'It deletes files.',
    'it deletes files',
    'Really?',
    'Stop!',
    'No. ',
  )
  const reason = fc.record({
    code: fc.constantFrom(...ReasonCode.options),
    params: fc.record({ message }),
  })
  fc.assert(
    fc.property(fc.array(reason, { minLength: 1, maxLength: 4 }), (reasons) => {
      const text = inOneSentence(reasons.map(reasonText))
      expect(text).not.toMatch(/\.\s*[.;]/)
      expect(text).toMatch(/[.!?]$/)
    }),
  )
})
