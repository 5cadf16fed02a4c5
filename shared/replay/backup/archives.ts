// Puts a log together from files that each hold a part of it: the archives of its first eras, and
// what was backed up of the others. It reads as one backup does, and is checked as one; a part that
// is missing, is there twice or is of another log is refused by its file.
import { Fault } from '#record/fault'
import { chainFrom, headText } from '../chain.ts'
import type { BundleHeader } from './format.ts'
import { readBundle, type BundleItem } from './read.ts'

interface Part {
  readonly file: string
  readonly header: BundleHeader
  readonly realm: string
  readonly from: number
}

/** What those files hold, as if one held it. */
export async function* readJoined(
  files: readonly string[],
): AsyncGenerator<BundleItem, void, void> {
  const [only] = files
  if (files.length === 1 && only !== undefined) return yield* readBundle(only)
  const parts: Part[] = []
  for (const file of files) parts.push(await partIn(file))
  parts.sort((one, other) => one.from - other.from)
  const [first] = parts
  const last = parts.at(-1)
  if (first === undefined || last === undefined) return
  const { realm } = first
  if (first.from > 1) throw absent(first, 1)
  const { version, made, format } = last.header
  const header = {
    is: 'header',
    holds: 'backup',
    format,
    version,
    made,
    realm,
    cells: null,
  } as const
  yield { is: 'header', header }
  yield { is: 'log', realm, from: 1 }
  const chain = chainFrom(null)
  const modules = new Map<string, BundleItem>()
  const missing = new Map<string, BundleItem>()
  let position = 0
  for (const part of parts) {
    if (part.realm !== realm)
      throw unfit(part, `it is of \`${part.realm}\`, and others of \`${realm}\``)
    if (part.from > position + 1) throw absent(part, position + 1)
    if (part.from <= position) throw unfit(part, `position ${part.from} is in another file as well`)
    for await (const item of readBundle(part.file)) {
      if (item.is === 'module') modules.set(item.digest, item)
      if (item.is === 'module_missing') missing.set(item.digest, item)
      if (item.is !== 'fact') continue
      chain.add(item.fact)
      ;({ position } = item.fact)
      yield item
    }
  }
  yield { is: 'log_end', facts: position, head: headText(chain.head()) }
  yield* modules.values()
  for (const [digest, item] of missing) if (!modules.has(digest)) yield item
  yield { is: 'end' }
}

/** What a file says before its first fact. */
async function partIn(file: string): Promise<Part> {
  let header: BundleHeader | null = null
  for await (const item of readBundle(file)) {
    if (item.is === 'header') ({ header } = item)
    if (item.is !== 'log' || header === null) continue
    const part = { file, header, realm: item.realm, from: item.from }
    if (header.holds === 'intent') throw unfit(part, 'it holds the facts of one intent')
    if (header.cells !== null) throw unfit(part, 'it holds a realm of several logs')
    return part
  }
  throw new Fault('backup_damaged', `\`${file}\` holds no log: leave it out`)
}

function absent({ file, from, realm }: Part, position: number): Fault {
  const what = `\`${file}\` begins at position ${from} of \`${realm}\``
  return new Fault('log_cut', `${what}, and ${position} is in no file: give the archives before it`)
}

function unfit({ file }: Part, why: string): Fault {
  return new Fault('usage', `\`${file}\`: ${why}: leave it out`)
}
