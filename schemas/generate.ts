// Writes the words for other languages into `schemas/generated`: one JSON Schema a file, and one
// AsyncAPI document. The same words make the same bytes; what is there and no longer generated is
// taken away. Pages that are made from a table are written into `docs`, and the table by which the
// client in Python asks beside it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { askingPage, pythonReads } from './generate/asking-page.ts'
import { configurationPage } from './generate/configuration-page.ts'
import { faultPage } from './generate/fault-page.ts'
import { generatedFiles } from './generate/files.ts'
import { rulesPage } from './generate/rules-page.ts'

const folder = join(import.meta.dirname, 'generated')

rmSync(folder, { recursive: true, force: true })
for (const [path, text] of generatedFiles()) {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const docs = join(import.meta.dirname, '..', 'docs')
writeFileSync(join(docs, 'reference/faults.md'), faultPage())
writeFileSync(join(docs, 'reference/configuration.md'), configurationPage())
writeFileSync(join(docs, 'reference/built-in-rules.md'), rulesPage())
writeFileSync(join(docs, 'reference/asking.md'), askingPage())

const python = join(import.meta.dirname, '..', 'clients', 'python', 'src', 'warrant_client')
writeFileSync(join(python, 'reads.py'), pythonReads())
