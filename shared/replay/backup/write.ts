// Writes a backup or an export: to a file that is not there yet, and for its owner alone. What
// cannot be written whole is taken away again. No private key is ever read.
import { open, unlink } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { fileProblem } from '#system/file-problem'
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { partsInRealm } from '#record/names'
import { writeLine } from '#record/ndjson'
import type { Fact } from '#ports/log'
import type { Kind } from '#schemas/kinds'
import { chainFrom, headText } from '../chain.ts'
import { factLine, type BundleHeader, type BundleLine } from './format.ts'

/** The facts of one log in their order; in an export some are left out. */
export interface BundledLog {
  readonly realm: string
  readonly facts: AsyncIterable<Fact | Omitted>
  /** Of an era: the position of its first fact, and the callback module that it opened with. */
  readonly opening?: { readonly from: number; readonly module: string | null }
}

/** What was left out of it. */
export interface Omitted {
  readonly from: number
  readonly to: number
  readonly appendedAt: number
}

export interface Bundled {
  readonly header: BundleHeader
  readonly logs: AsyncIterable<BundledLog>
  /** The source of the module of that digest; null where it is not here. */
  readonly module: (digest: string) => Promise<string | null>
}

/** So many facts stand between two digests: what is damaged is found as nearly. */
const markEvery = 256
const chunkCharacters = 65_536

export async function writeBundle(file: string, bundled: Bundled): Promise<void> {
  const handle = await created(file)
  try {
    const packed = createGzip()
    await pipeline(
      Readable.from(chunked(linesOf(bundled))),
      packed,
      handle.createWriteStream({ flush: true }),
    )
  } catch (error) {
    await unlink(file)
    if (error instanceof Fault) throw error
    throw unwritable(file, error)
  }
}

/** Throws a Fault `already_there` rather than replacing a file. */
async function created(file: string) {
  try {
    return await open(file, 'wx', 0o600)
  } catch (cause) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
    if (code !== 'EEXIST') throw unwritable(file, cause)
    const message = `\`${file}\` exists, and nothing is replaced: give another name`
    throw new Fault('already_there', message, { cause })
  }
}

function unwritable(file: string, cause: unknown): Fault {
  const why = fileProblem(cause, 'it cannot be written')
  return new Fault('file_unwritable', `\`${file}\`: ${why}`, { cause })
}

async function* chunked(lines: AsyncIterable<BundleLine>): AsyncGenerator<string, void, void> {
  let waiting = ''
  for await (const line of lines) {
    waiting += writeLine(line)
    if (waiting.length < chunkCharacters) continue
    yield waiting
    waiting = ''
  }
  yield waiting
}

async function* linesOf(bundled: Bundled): AsyncGenerator<BundleLine, void, void> {
  yield bundled.header
  const pinned = new Set<string>()
  const counted = { logs: 0, facts: 0, modules: 0 }
  for await (const log of bundled.logs) {
    counted.logs += 1
    for await (const line of logLines(log, pinned)) {
      if (line.is === 'fact') counted.facts += 1
      yield line
    }
  }
  for (const digest of pinned) {
    const source = await bundled.module(digest)
    if (source === null) yield { is: 'module_missing', digest }
    else {
      counted.modules += 1
      yield { is: 'module', digest, source }
    }
  }
  yield { is: 'end', ...counted }
}

async function* logLines(
  { realm, facts, opening }: BundledLog,
  pinned: Set<string>,
): AsyncGenerator<BundleLine, void, void> {
  yield { is: 'log', realm, ...(opening && { from: opening.from }) }
  if (typeof opening?.module === 'string') pinned.add(opening.module)
  const chain = chainFrom(null)
  let count = 0
  for await (const fact of facts) {
    if (!('bytes' in fact)) {
      yield { is: 'gap', ...fact }
      continue
    }
    chain.add(fact)
    for (const digest of modulesIn(fact, realm)) pinned.add(digest)
    yield factLine(fact)
    count += 1
    if (count % markEvery === 0) yield { is: 'mark', head: headText(chain.head()) }
  }
  yield { is: 'log_end', facts: count, head: headText(chain.head()) }
}

/** The callback modules that a fact pins: of those that change the catalog. */
const pinnedBy: Partial<Record<Kind, (fact: Fact) => readonly string[]>> = {
  catalog: (fact) => {
    const operations = readData('catalog', fact)?.operations ?? []
    return operations.flatMap((one) =>
      one.op === 'set' && one.key === 'callbacks' && one.value !== null ? [one.value] : [],
    )
  },
}

function modulesIn(fact: Fact, realm: string): readonly string[] {
  const parts = partsInRealm(fact.name, realm)
  return (parts === null ? undefined : pinnedBy[parts.kind])?.(fact) ?? []
}
