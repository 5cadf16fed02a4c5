// What a program can import: the exported names of each entry, and the declarations that they lead
// to. Where a declaration stands is left out.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '#cli/terminal/opening/package-root'
import type { Subject } from '../subject.ts'
import { exportedBy } from './declarations.ts'

const Entry = z.looseObject({ 'warrant-source': z.string() })
const Manifest = z.looseObject({ exports: z.record(z.string(), z.unknown()) })

async function record(): Promise<ReadonlyMap<string, string>> {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8')
  const files = new Map<string, string>()
  for (const [entry, of] of Object.entries(Manifest.parse(JSON.parse(text)).exports)) {
    const parsed = Entry.safeParse(of)
    if (!parsed.success) continue
    const all = [...exportedBy(join(parsed.data['warrant-source']))]
    const declared = all.flatMap(([, texts]) => texts.map((one) => one.text)).toSorted()
    const name = entry === '.' ? 'main' : entry.replace('./', '')
    files.set(`${name}.txt`, `${[...new Set(declared)].join('\n\n')}\n`)
  }
  return files
}

export const exportsOfEntries: Subject = { folder: 'ours/exports', record }
