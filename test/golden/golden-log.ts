// A golden log on disk: the facts of a log as some version wrote them, and the callback modules
// that its catalogs pin. It is written once, and nothing may ever edit it.
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { covering } from '#record/pattern'
import type { Place } from '#record/names'
import { digestOf } from '#record/digest'
import { readLines, writeLine } from '#record/ndjson'
import { Fault } from '#record/fault'
import type { Fact, Log } from '#ports/log'

const Line = z.strictObject({
  position: z.int().min(1),
  appendedAt: z.int(),
  name: z.string(),
  /** The bytes as text, or in base64 where they are no UTF-8. */
  text: z.string().optional(),
  base64: z.string().optional(),
})

export async function readGolden(folder: string): Promise<Fact[]> {
  const facts: Fact[] = []
  const lines = createReadStream(join(folder, 'log.ndjson'))
  for await (const line of readLines(lines, { lineBytesMax: 1_048_576 })) {
    if ('error' in line) throw new Fault(line.error.code, line.error.message)
    const { text, base64, ...fact } = Line.parse(line.value)
    const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text)
    facts.push({ ...fact, bytes })
  }
  return facts
}

/** Writes what `readGolden` reads, into a folder that has no golden log. */
export async function writeGolden(
  folder: string,
  { facts, modules }: { readonly facts: readonly Fact[]; readonly modules: readonly string[] },
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const lines = facts.map(({ position, appendedAt, name, bytes }) => {
    const text = Buffer.from(bytes).toString('utf8')
    const isText = Buffer.from(text, 'utf8').equals(Buffer.from(bytes))
    const content = isText ? { text } : { base64: Buffer.from(bytes).toString('base64') }
    return writeLine({ position, appendedAt, name, ...content })
  })
  await writeFile(join(folder, 'log.ndjson'), lines.join(''), { flag: 'wx' })
  for (const module of modules) {
    await writeFile(join(folder, `${digestOf(module).replace('sha256:', '')}.module`), module)
  }
}

/** The callback module of that digest, as it was then. */
export async function goldenModule(folder: string, digest: string): Promise<string | null> {
  const file = join(folder, `${digest.replace('sha256:', '')}.module`)
  return existsSync(file) ? readFile(file, 'utf8') : null
}

/** The realm of its messages: that of a cell has what all cells share beside its own. */
export function placeIn(facts: readonly Fact[]): Place {
  const message = facts.find(({ name }) => name.includes('.vlp.'))
  return { realm: message?.name.split('.')[0] ?? '', era: 1 }
}

export function goldenLog(facts: readonly Fact[]): Log {
  const named = new Map(facts.map((fact) => [fact.name, fact]))
  const readOnly = (): never => {
    throw new Fault('log_read_only', 'a golden log is never written')
  }
  return {
    append: readOnly,
    get: (name) => Promise.resolve(named.get(name)),
    async *read({ from = 1, to = Infinity }, names) {
      const covered = names === undefined ? () => true : covering(names)
      for (const fact of facts) {
        if (fact.position >= from && fact.position <= to && covered(fact.name)) yield fact
      }
    },
    follow: readOnly,
    work: readOnly,
    head: () => {
      const { position = 0, appendedAt = 0 } = facts.at(-1) ?? {}
      return Promise.resolve({ position, appendedAt })
    },
    close: () => Promise.resolve(),
  }
}
