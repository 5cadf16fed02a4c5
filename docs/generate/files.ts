// Everything that is generated from the words, as texts by their paths. It writes nothing.
import { asyncApi } from './asyncapi.ts'
import { openApi } from '#schemas/http/openapi'
import { jsonSchemas } from './json-schemas.ts'

/** Grows with the words, not with the package. */
const wordsVersion = '1.0.0'

/** The text of each file by its path below the folder of generated files. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const documents = new Map<string, object>([
    ...jsonSchemas(),
    ['asyncapi.json', asyncApi(wordsVersion)],
    ['openapi.json', openApi(wordsVersion)],
  ])
  return new Map([...documents].map(([path, value]) => [path, textOf(value)]))
}

function textOf(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
