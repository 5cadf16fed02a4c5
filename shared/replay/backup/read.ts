// Reads a backup or an export, and believes nothing of it: each line, count, digest and module is
// checked as it comes. What does not fit is refused with its place.
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { pipeline } from 'node:stream'
import { fileProblem } from '#system/file-problem'
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import { readLines } from '#record/ndjson'
import type { Fact } from '#ports/log'
import { chainFrom, headText, type Chain } from '../chain.ts'
import { BundleLine, bundleFormat, factOf, type BundleHeader } from './format.ts'
import type { Omitted } from './write.ts'

/** What a file gives, in its order; `log_end` once all of a log has been checked. */
export type BundleItem =
  | { readonly is: 'header'; readonly header: BundleHeader }
  | { readonly is: 'log'; readonly realm: string; readonly from: number }
  | { readonly is: 'fact'; readonly fact: Fact }
  | { readonly is: 'gap'; readonly gap: Omitted }
  | { readonly is: 'log_end'; readonly facts: number; readonly head: string }
  | { readonly is: 'module'; readonly digest: string; readonly source: string }
  | { readonly is: 'module_missing'; readonly digest: string }
  | { readonly is: 'end' }

const lineBytesMax = 4 * 1024 * 1024

interface Reading {
  readonly file: string
  line: number
  header: BundleHeader | null
  /** The log that is being read. */
  log: { readonly realm: string; readonly chain: Chain; facts: number; last: number } | null
  /** The last position at which all was right. */
  sound: string
  counted: { logs: number; facts: number; modules: number }
  hasEnded: boolean
}

export async function* readBundle(file: string): AsyncGenerator<BundleItem, void, void> {
  const reading: Reading = {
    file,
    line: 0,
    header: null,
    log: null,
    sound: 'nothing of it could be checked',
    counted: { logs: 0, facts: 0, modules: 0 },
    hasEnded: false,
  }
  for await (const { line, value } of linesIn(reading)) {
    reading.line = line
    const item = itemOf(reading, value)
    if (item !== null) yield item
  }
  if (!reading.hasEnded) throw damaged(reading, 'it ends too early')
}

async function* linesIn(reading: Reading) {
  const packed = createReadStream(reading.file)
  const bytes = createGunzip()
  // What fails in either is thrown where the lines are read.
  pipeline(packed, bytes, () => undefined)
  try {
    const limits = { lineBytesMax, inexact: 'change' } as const
    for await (const { line, value, error } of readLines(bytes, limits)) {
      if (error !== undefined) throw damaged(reading, `line ${line}: ${error.message}`)
      yield { line, value }
    }
  } catch (error) {
    throw error instanceof Fault ? error : unreadable(reading, error)
  } finally {
    packed.destroy()
  }
}

function unreadable(reading: Reading, cause: unknown): Fault {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  const why = fileProblem(cause, 'it cannot be read')
  if (code === 'Z_BUF_ERROR') return damaged(reading, 'it ends too early', cause)
  if (typeof code === 'string' && code.startsWith('Z_')) {
    return damaged(
      reading,
      reading.line === 0 ? 'it is not packed by gzip (a log is checked by `warrant replay`)' : why,
      cause,
    )
  }
  return new Fault('input_unreadable', `\`${reading.file}\`: ${why}`, { cause })
}

function damaged({ file, line, sound }: Reading, what: string, cause?: unknown): Fault {
  const after = line === 0 ? '' : ` after line ${line}`
  const message = `\`${file}\` is no whole backup or export: ${what}${after}; ${sound}`
  return new Fault('backup_damaged', message, { cause })
}

function itemOf(reading: Reading, value: unknown): BundleItem | null {
  const parsed = BundleLine.safeParse(value)
  if (!parsed.success) throw damaged(reading, `line ${reading.line} has another format`)
  const line = parsed.data
  if (reading.hasEnded) throw damaged(reading, 'there is more behind its end')
  if ((reading.header === null) !== (line.is === 'header')) {
    throw damaged(reading, `line ${reading.line} is not where it belongs`)
  }
  switch (line.is) {
    case 'header':
      return headerItem(reading, line)
    case 'log':
      return logItem(reading, line)
    case 'fact':
      return factItem(reading, factOf(line))
    case 'gap': {
      const { from, to, appendedAt } = line
      return gapItem(reading, { from, to, appendedAt })
    }
    case 'mark':
      demandHead(reading, line.head)
      return null
    case 'log_end':
      return logEndItem(reading, line)
    case 'module':
      if (digestOf(line.source) !== line.digest) {
        throw damaged(reading, `the callback module ${line.digest} is not what its digest says`)
      }
      reading.counted.modules += 1
      return line
    case 'module_missing':
      return line
    case 'end':
      return endItem(reading, line)
  }
}

function headerItem(reading: Reading, header: BundleHeader): BundleItem {
  if (header.format !== bundleFormat) {
    const what = `it has format ${header.format}, and this version reads ${bundleFormat}`
    throw new Fault('backup_damaged', `\`${reading.file}\`: ${what}: use a newer version`)
  }
  reading.header = header
  return { is: 'header', header }
}

function logItem(
  reading: Reading,
  { realm, from = 1 }: { readonly realm: string; readonly from?: number | undefined },
): BundleItem {
  if (reading.log !== null) throw damaged(reading, 'a log begins within another')
  if (from > 1 && reading.header?.holds !== 'era') {
    throw damaged(reading, `position 1 of \`${realm}\` is missing`)
  }
  reading.log = { realm, chain: chainFrom(null), facts: 0, last: from - 1 }
  return { is: 'log', realm, from }
}

function factItem(reading: Reading, fact: Fact): BundleItem {
  const log = openLog(reading, fact.position)
  log.chain.add(fact)
  log.facts += 1
  log.last = fact.position
  return { is: 'fact', fact }
}

function gapItem(reading: Reading, gap: Omitted): BundleItem {
  const log = openLog(reading, gap.from)
  if (reading.header?.holds !== 'intent' || gap.to < gap.from) {
    throw damaged(reading, `positions ${gap.from} to ${gap.to} are left out`)
  }
  log.last = gap.to
  return { is: 'gap', gap }
}

function openLog(reading: Reading, position: number) {
  const { log } = reading
  if (log === null) throw damaged(reading, `line ${reading.line} is of no log`)
  if (position === log.last + 1) return log
  throw damaged(reading, `position ${log.last + 1} of \`${log.realm}\` is missing`)
}

function demandHead(reading: Reading, head: string): void {
  const { log } = reading
  if (log === null) throw damaged(reading, `line ${reading.line} is of no log`)
  if (headText(log.chain.head()) === head) {
    reading.sound = `up to position ${log.last} of \`${log.realm}\` it is as it was written`
    return
  }
  const what = `a fact of \`${log.realm}\` was changed at or before position ${log.last}`
  throw damaged(reading, what)
}

function logEndItem(
  reading: Reading,
  { facts, head }: { readonly facts: number; readonly head: string },
): BundleItem {
  demandHead(reading, head)
  const { log } = reading
  if (log?.facts !== facts) throw damaged(reading, `it must have ${facts} facts`)
  reading.counted.logs += 1
  reading.counted.facts += facts
  reading.log = null
  return { is: 'log_end', facts, head }
}

function endItem(reading: Reading, end: Reading['counted']): BundleItem {
  const { logs, facts, modules } = reading.counted
  if (end.logs !== logs || end.facts !== facts || end.modules !== modules) {
    throw damaged(reading, 'its parts are not as many as its end says')
  }
  reading.hasEnded = true
  return { is: 'end' }
}
