// A text of a rule is shown as it stands: what looks as if a value were put in its place is found,
// wherever the text stands, and other braces are not.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkCatalog } from '#authoring/lint/catalog-flaws'
import { graphFromFile } from '#knowledge/graph/graph'
import { emptyGraph } from '#knowledge/graph/revision'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { GraphFile } from '#schemas/graph'

const found = (file: object, graph = emptyGraph): readonly string[] => {
  const { catalog, refused } = catalogFromFile(file)
  if (catalog === undefined) throw new Error(refused.message)
  const flaws = checkCatalog(catalog, graph)
  return flaws.filter(({ code }) => code === 'text_unfilled').map(({ what }) => what)
}

const when = 'true'
const places: readonly ((text: string) => readonly string[])[] = [
  (question) => found({ conditions: [{ name: 'ask', when, effect: 'confirm', question }] }),
  (message) => found({ conditions: [{ name: 'deny', when, effect: 'deny', message }] }),
  (question) => {
    const conditions = [{ name: 'ask', when, effect: 'confirm', question }]
    const pay = { id: 'pay', safetyClass: 'WRITE', argsSchema: { type: 'object' }, conditions }
    return found({ capabilities: [pay] })
  },
  (confirmationMessage) => {
    const policies = [{ name: 'ask', confirmationMessage }]
    const relata = [{ type: 'APPLIES_TO', target: 'file', targetDepth: 0, policies }]
    const depths = [{ level: 0 }, { level: 1, properties: { is: 'an act' }, relata }]
    const primitives = [
      { name: 'send', depths },
      { name: 'file', depths: [{ level: 0 }] },
    ]
    return found({}, graphFromFile(GraphFile.parse({ primitives })))
  },
]

const words = fc.stringMatching(/^[a-z ,.?]{0,12}$/)
const names = fc.stringMatching(/^[a-zé_]{1,8}(?:\.[a-z]{1,4}|\[0\])?$/)
const braces = fc.constantFrom(['{', '}'], ['${', '}'], ['{{', '}}'], ['{ ', ' }'], ['{{ ', ' }}'])

test.each(places)('what nothing is put into is found (place %#)', (flawsOf) => {
  fc.assert(
    fc.property(words, names, braces, words, (before, name, [open, close], after) => {
      fc.pre(name !== 'action')
      const hole = `${open}${name}${close}`
      const [flaw, ...others] = flawsOf(`${before}x${hole}${after}`)
      expect([flaw, others]).toEqual([expect.stringContaining(`\`${hole}\``), []])
    }),
    { numRuns: 30 },
  )
})

test('what is filled in, and what is no place for a value, is not', () => {
  const [ofCatalog, , , ofPolicy] = places
  for (const text of ['Go on?', 'It takes {"to": "ann"}.', 'A set {} or {1, 2}.', 'a } b {']) {
    for (const flawsOf of places) expect(flawsOf(text)).toEqual([])
  }
  expect(ofPolicy?.('May I {action} it?')).toEqual([])
  expect(ofPolicy?.('May I {action} {what}?')).toHaveLength(1)
  expect(ofCatalog?.('May I {action} it?')).toHaveLength(1)
})
