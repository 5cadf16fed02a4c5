// Writes the words for other languages into `schemas/generated`: one JSON Schema a file, and one
// AsyncAPI document. The same words make the same bytes; what is there and no longer generated is
// taken away. Pages that are made from a table are written into `docs`, and the table by which the
// client in Python asks beside it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { askingPage, pythonReads } from './asking-page.ts'
import { configurationPage } from './configuration-page.ts'
import { faultPage } from './fault-page.ts'
import { generatedFiles } from './files.ts'
import { rulesPage } from './rules-page.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'schemas', 'generated')

rmSync(folder, { recursive: true, force: true })
for (const [path, text] of generatedFiles()) {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const docs = join(root, 'docs')
writeFileSync(join(docs, 'reference/faults.md'), faultPage())
writeFileSync(join(docs, 'reference/configuration.md'), configurationPage())
writeFileSync(join(docs, 'reference/built-in-rules.md'), rulesPage())
writeFileSync(join(docs, 'reference/asking.md'), askingPage())

const python = join(root, 'clients', 'python', 'src', 'warrant_client')
writeFileSync(join(python, 'reads.py'), pythonReads())
