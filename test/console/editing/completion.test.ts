// What is offered while an entry is written: names that the log has, and what its schema allows, at
// whatever place of a text that is not whole yet.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CatalogFile } from '#schemas/catalog'
import { completionInJson, completionInLines } from '#console/page/authoring/editing/completion'
import { jsonSchemaOf } from '#console/page/authoring/editing/entry-schema'
import { stringAt } from '#console/page/authoring/editing/completion'
import { schemaAt } from '#console/page/authoring/catalog/places'

const known = {
  catalog: CatalogFile.parse({
    principals: [{ id: 'piet' }, { id: 'quin "q"' }, { id: 'bot', roles: ['writer'] }],
    groups: [{ id: 'people', members: ['piet'] }],
    confirmations: [{ id: 'night', tier: 'confirm' }],
    capabilities: [{ id: 'refund', safetyClass: 'WRITE' }],
  }),
  concepts: ['file', 'invoice'],
}
const capability = jsonSchemaOf(schemaAt({ list: 'capabilities', index: null }))

/** `|` is the caret. */
function offered(marked: string, schema = capability): readonly string[] {
  const text = marked.replace('|', '')
  const found = completionInJson(text, marked.indexOf('|'), { schema, known })
  return found?.fit.map(({ name }) => name) ?? []
}

function taken(marked: string): string {
  const text = marked.replace('|', '')
  const found = completionInJson(text, marked.indexOf('|'), { schema: capability, known })
  const [first] = found?.fit ?? []
  if (found === null || first === undefined) return text
  return `${text.slice(0, found.from)}${first.written}${text.slice(found.to)}`
}

describe('in a text', () => {
  test.each([
    ['{"confirmation": "|"}', ['night']],
    ['{"conditions": [{"confirmation": "n|', ['night']],
    ['{"concepts": ["file", "inv|"]}', ['invoice']],
    ['{"allow": [{"principal": "p|', ['piet']],
    ['{"allow": [{"role": "|', ['writer']],
    ['{"safetyClass": "w|"}', ['WRITE']],
    ['{"conditions": [{"effect": "d|', ['deny']],
    ['{"id": "x", "minD|', ['minDepth']],
    ['{"tags": ["ref|', ['refund']],
    ['{"tags": ["|', []],
    ['{"id"|: 4}', []],
    ['|{"id": "x"}', []],
  ])('%s', (marked, expected) => {
    expect(offered(marked)).toEqual(expected)
  })

  test('puts a name there as JSON, and closes the text that it is in', () => {
    expect(taken('{"allow": [{"principal": "qu|')).toBe('{"allow": [{"principal": "quin \\"q\\""')
    expect(taken('{"confirmation": "n|xx", "id": ""}')).toBe('{"confirmation": "night", "id": ""}')
  })

  test('finds its way to each text of a value, wherever its writing was broken off', () => {
    const value = fc.object({ key: fc.string(), values: [fc.string()], maxDepth: 3 })
    fc.assert(
      fc.property(value, fc.nat(), (one, at) => {
        const text = JSON.stringify({ one }, null, 1)
        const caret = at % (text.length + 1)
        const [whole, broken] = [stringAt(text, caret), stringAt(text.slice(0, caret), caret)]
        expect(broken?.path).toEqual(whole?.path)
        expect(broken?.begun).toEqual(whole?.begun)
      }),
    )
  })
})

test('in lines, a name that is there already is not offered again', () => {
  const names = ['file', 'folder', 'invoice']
  const fit = (text: string) =>
    completionInLines(text, text.length, { member: 'concepts', names }).fit
  expect(fit('file\nf').map(({ name }) => name)).toEqual(['folder'])
  expect(fit('fo\n').map(({ name }) => name)).toEqual(names)
})
