// Why a tool failed in English.
import { expect, test } from 'vitest'
import { toolFailureText } from '#present/action/tool-failure-text'
import { ToolFailureCode } from '#schemas/action/tool-failure'

test('each code of a driver has a sentence of its own, and no other code has one', () => {
  const texts = ToolFailureCode.options.map((code) => toolFailureText(code))
  expect(texts).not.toContain(null)
  expect(new Set(texts).size).toBe(texts.length)
  for (const code of ['of_an_agent', 'toString', '']) expect(toolFailureText(code)).toBeNull()
})
