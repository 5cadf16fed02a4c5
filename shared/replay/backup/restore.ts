// Makes logs in files of a backup, with the callback modules beside them. It builds them in a
// folder of its own and hands that over to be checked first, and only then moves anything to where
// it belongs: nothing that is there is ever replaced.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileProblem } from '#system/file-problem'
import { importFacts } from '#log/sqlite/import'
import { assert, Fault } from '#record/fault'
import { cellIn, realmOfCell } from '#record/names'
import type { Fact } from '#ports/log'
import { keepModule, loadModule } from '#authoring/callback-store'
import type { OnProgress } from '#runtime/reporting/progress'
import type { BundleHeader } from './format.ts'
import { readJoined } from './archives.ts'
import type { BundleItem } from './read.ts'

/** A log as it was restored. */
export interface RestoredLog {
  readonly realm: string
  readonly file: string
  readonly facts: number
  readonly head: string
}

export interface Restored {
  readonly header: BundleHeader
  readonly folder: string
  readonly logs: readonly RestoredLog[]
  readonly modules: readonly string[]
  /** Pinned by the log, and not in the backup. */
  readonly missing: readonly string[]
  /** The realms whose logs were not whole when it was written: they are not in it. */
  readonly lost: readonly string[]
}

/** Unpacks what those files hold into a folder that is empty. */
export async function unpack(
  files: readonly string[],
  folder: string,
  progress?: OnProgress,
): Promise<Restored> {
  const logs: RestoredLog[] = []
  const modules: string[] = []
  const missing: string[] = []
  const items = readJoined(files)[Symbol.asyncIterator]()
  let header: BundleHeader | null = null
  try {
    for (let next = await items.next(); next.done !== true; next = await items.next()) {
      const item = next.value
      if (item.is === 'header') header = headerOf(files, item.header)
      if (item.is === 'log') logs.push(await logOf(items, { ...item, folder, progress }))
      if (item.is === 'module_missing') missing.push(item.digest)
      if (item.is !== 'module') continue
      await keepModule(folder, item.source)
      modules.push(item.digest)
    }
  } finally {
    await items.return()
  }
  // INVARIANT: the reader refuses a file that does not begin with one.
  assert(header !== null, 'a backup has a header')
  return { header, folder, logs, modules, missing, lost: lostIn(header, logs) }
}

/** A realm of cells has a log of each, and one that they share. */
function lostIn({ realm, cells }: BundleHeader, logs: readonly RestoredLog[]): readonly string[] {
  if (cells === null || cellIn(realm) !== null) return []
  const all = Array.from({ length: cells }, (_, index) => realmOfCell({ of: realm, index }))
  return [realm, ...all].filter((one) => logs.every((log) => log.realm !== one))
}

function headerOf(files: readonly string[], header: BundleHeader): BundleHeader {
  if (header.holds !== 'intent') return header
  const message = `\`${files.join(', ')}\` holds the facts of one intent, and no log`
  throw new Fault('backup_damaged', `${message}: check it with \`warrant verify\``)
}

interface Unpacking {
  readonly folder: string
  readonly realm: string
  readonly from: number
  readonly progress: OnProgress | undefined
}

async function logOf(
  items: AsyncIterator<BundleItem, void>,
  { folder, realm, from, progress }: Unpacking,
): Promise<RestoredLog> {
  const file = join(folder, `${realm}.db`)
  let end: { readonly facts: number; readonly head: string } | null = null
  const facts = async function* (): AsyncGenerator<Fact, void, void> {
    for (let next = await items.next(); next.done !== true; next = await items.next()) {
      const item = next.value
      if (item.is === 'log_end') {
        end = item
        return
      }
      if (item.is !== 'fact') continue
      progress?.({ doing: 'unpacking', of: 'facts', done: item.fact.position, total: null })
      yield item.fact
    }
  }
  const count = await importFacts(file, facts(), from)
  return { realm, file, facts: count, head: headIn(end) }
}

// What ends before its log does was refused by the reader.
function headIn(end: { readonly head: string } | null): string {
  return end?.head ?? ''
}

/** Does it in a folder beside that one, which is gone afterwards. */
export async function unpacked<T>(
  files: readonly string[],
  beside: string,
  use: (restored: Restored) => Promise<T>,
  progress?: OnProgress,
): Promise<T> {
  const at = dirname(beside)
  const folder = await mkdtemp(join(await made(at), '.restoring-'))
  try {
    return await use(await unpack(files, folder, progress))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function made(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true })
    return folder
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be made')
    throw new Fault('file_unwritable', `the folder \`${folder}\`: ${why}`, { cause })
  }
}

/** Where the logs go: the only one to that file, several beside it, each by its realm. */
export function targetsOf({ logs }: Restored, file: string): ReadonlyMap<string, string> {
  const isOne = logs.length === 1
  return new Map(
    logs.map(({ realm }) => [realm, isOne ? file : join(dirname(file), `${realm}.db`)]),
  )
}

/** Throws a Fault `already_there` if a log is at one of those places. */
export function refuseTaken(files: Iterable<string>): void {
  for (const file of files) {
    const taken = [file, `${file}-wal`, `${file}-shm`].find((each) => existsSync(each))
    if (taken === undefined) continue
    const fix = 'give another place by --log, or move it away'
    throw new Fault('already_there', `\`${taken}\` exists, and nothing is replaced: ${fix}`)
  }
}

/** Moves what was unpacked to its places. */
export async function moveIn(restored: Restored, targets: ReadonlyMap<string, string>) {
  refuseTaken(targets.values())
  for (const { realm, file } of restored.logs) {
    const target = targets.get(realm)
    if (target === undefined) continue
    await moveModules(restored, dirname(target))
    await reserve(target)
    await rename(file, target)
  }
}

async function moveModules({ folder, modules }: Restored, target: string): Promise<void> {
  for (const digest of modules) {
    // One of the same digest that was changed is refused there, and stays as it is.
    if ((await loadModule(target, digest)) !== null) continue
    const source = await loadModule(folder, digest)
    if (source !== null) await keepModule(target, source)
  }
}

/** Takes the name, so that what comes in between is not replaced. */
async function reserve(file: string): Promise<void> {
  try {
    await writeFile(file, '', { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be written')
    throw new Fault('file_unwritable', `\`${file}\`: ${why}`, { cause })
  }
}
