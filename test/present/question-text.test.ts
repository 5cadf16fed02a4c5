// What people are asked, in one line with the rule that wants it.
import { expect, test } from 'vitest'
import { questionText } from '#present/question-text'

const asked = 'More than 100: really?'

test.each([
  ['a condition that says what is asked', { kind: 'condition', rule: 'big', message: asked }],
  ['a condition without words of its own', { kind: 'condition', rule: 'big' }],
  ['a policy of an edge', { kind: 'policy', policy: 'big', source: 'pay', target: 'bill' }],
  ['a policy without an edge', { kind: 'policy', policy: 'big' }],
] as const)('names the rule once: %s', (_, question) => {
  expect(questionText(question).split('`big`').length - 1).toBe(1)
})
