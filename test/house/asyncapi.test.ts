// The generated AsyncAPI document is held to the schema of those who define AsyncAPI.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { generatedFiles } from '../../docs/generate/files.ts'

const Document = z.record(z.string(), z.json())

test('the AsyncAPI document is what AsyncAPI 3.0 asks for', () => {
  const document = Document.parse(JSON.parse(generatedFiles().get('asyncapi.json') ?? ''))
  const path = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0.json')
  const schema = Document.parse(JSON.parse(readFileSync(path, 'utf8')))
  // It brings draft 7 along, which a validator that knows it already would not take twice.
  const options = { meta: false, validateSchema: false } as const
  const draft7 = new Ajv({ ...options, strict: false, formats: fullFormats })
  const takes = draft7.compile(schema)
  expect(takes(document) ? [] : takes.errors).toEqual([])
  expect(takes({ ...document, channels: { vlp: { adress: 'x' } } })).toBe(false)
})
