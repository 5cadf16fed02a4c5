// A store of results in a folder of its owner alone: one encrypted file a result, and the key
// beside them. Plain files, since a result is written once, read whole and removed, and gives its
// room back at once. What other processes put meanwhile, it finds when it is opened again.
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { Fault } from '#record/fault'
import type { Clock } from '#ports/clock'
import { resultLimits, type KeptResult, type ResultLimits } from '#ports/results'
import type { ResultStore, ResultToKeep } from '#ports/results'
import { isAlive } from '#system/alive'
import { fileProblem, hasCode } from '#system/file-problem'
import { forOthers } from '#system/secret-file'
import { sealed, sealKeyBytes, unsealed } from './sealed.ts'
import { namedResultId, newResultId, ownerMark, Shelf, type ShelvedResult } from './shelf.ts'

export interface ResultFolderOptions {
  readonly folder: string
  readonly clock: Clock
  readonly limits?: ResultLimits
}

const keyName = 'results.key'
const halfSuffix = '.half'
const form = /^(res_[A-Za-z0-9_-]{24})\.([0-9a-f]{32})\.([0-9]{1,16})$/

/**
 * Opens the folder, and makes it and its key on first use. Throws a Fault `results_key_invalid`, or
 * `file_unwritable` where the folder cannot be made or read.
 */
export async function openResultFolder(options: ResultFolderOptions): Promise<ResultStore> {
  const { folder, clock, limits = resultLimits } = options
  const names = await namesIn(folder)
  const key = await keyIn(
    folder,
    names.some((name) => form.test(name)),
  )
  const shelf = new Shelf(limits)
  for (const one of await heldIn(folder, names)) {
    const other = shelf.get(one.id)
    // Two processes have put it at once: the later counts.
    if (other !== undefined) await rm(join(folder, nameOf(other)), { force: true })
    shelf.remove(one.id)
    shelf.add(one)
  }
  return new ResultFolder(folder, key, clock, shelf)
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await readdir(folder)
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be read')
    throw new Fault('file_unwritable', `\`${folder}\`: ${why}`, { cause })
  }
}

/** The oldest first. What was being written when a process ended goes. */
async function heldIn(folder: string, names: readonly string[]): Promise<readonly ShelvedResult[]> {
  const found: (ShelvedResult & { readonly at: number })[] = []
  for (const name of names) {
    if (isLeft(name)) await rm(join(folder, name), { force: true })
    const [, id, owner, expiresAt] = form.exec(name) ?? []
    if (id === undefined || owner === undefined) continue
    const there = await stat(join(folder, name)).catch(() => null)
    // Another process has removed it since.
    if (there === null) continue
    const { size: bytes, mtimeMs: at } = there
    found.push({ id, owner, expiresAt: Number(expiresAt), bytes, at })
  }
  return found.toSorted((one, other) => one.at - other.at)
}

/** Whether it was being written by a process that has ended. */
function isLeft(name: string): boolean {
  if (!name.endsWith(halfSuffix)) return false
  const [, pid] = /\.([0-9]+)\.[0-9a-f]+\.half$/.exec(name) ?? []
  return pid === undefined || !isAlive(Number(pid))
}

async function keyIn(folder: string, hasResults: boolean): Promise<Buffer> {
  const path = join(folder, keyName)
  const known = await readKey(path)
  if (known !== null) return known
  // Under a new key none of these could ever be read.
  if (hasResults) throw new Fault('results_key_invalid', `\`${path}\`: it is missing`)
  await writeWhole(path, randomBytes(sealKeyBytes), link)
  // That of another process, where it was first.
  return (await readKey(path)) ?? keyIn(folder, hasResults)
}

/** Null where there is none yet. */
async function readKey(path: string): Promise<Buffer | null> {
  const wrong = (why: string): Fault => new Fault('results_key_invalid', `\`${path}\`: ${why}`)
  try {
    const file = await open(path)
    try {
      const { mode } = await file.stat()
      const key = await file.readFile()
      // Windows has no such modes.
      if (platform() !== 'win32' && (mode & forOthers) !== 0) throw wrong('others may read it')
      if (key.length !== sealKeyBytes) throw wrong(`it has not ${sealKeyBytes} bytes`)
      return key
    } finally {
      await file.close()
    }
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    if (hasCode(cause, 'ENOENT')) return null
    throw wrong(fileProblem(cause, 'it cannot be read'))
  }
}

/** There as a whole or not at all, whenever the machine stops; by `link` never over another. */
async function writeWhole(
  path: string,
  bytes: Uint8Array,
  put: (half: string, path: string) => Promise<void> = rename,
): Promise<void> {
  const half = `${path}.${process.pid}.${randomBytes(6).toString('hex')}${halfSuffix}`
  try {
    const file = await open(half, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    try {
      await put(half, path)
    } catch (error) {
      if (!isThere(error)) throw error
    } finally {
      await rm(half, { force: true })
    }
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be written')
    throw new Fault('file_unwritable', `\`${path}\`: ${why}`, { cause })
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === 'EEXIST'
}

class ResultFolder implements ResultStore {
  readonly #folder: string
  readonly #key: Buffer
  readonly #clock: Clock
  readonly #shelf: Shelf
  /** One finds its place at a time: what is full for one is full for the next. */
  #last: Promise<unknown> = Promise.resolve()
  /** What is being written, by ids: they have their places already. */
  readonly #writing = new Map<string, Promise<void>>()

  constructor(folder: string, key: Buffer, clock: Clock, shelf: Shelf) {
    this.#folder = folder
    this.#key = key
    this.#clock = clock
    this.#shelf = shelf
  }

  put(result: ResultToKeep): Promise<{ readonly id: string }> {
    const placed = this.#last.then(() => this.#place(result))
    this.#last = placed.catch(() => {})
    // Files are written side by side.
    return placed.then(async ({ place, written }) => {
      await written
      return { id: place.id }
    })
  }

  async get(id: string): Promise<KeptResult | null> {
    const found = this.#shelf.get(id)
    if (found === undefined) return null
    if (found.expiresAt <= this.#clock.now()) {
      await this.#remove(found)
      return null
    }
    const name = nameOf(found)
    let bytes: Buffer
    try {
      bytes = await readFile(join(this.#folder, name))
    } catch (cause) {
      throw new Fault('result_unreadable', `the kept result \`${name}\` is gone`, { cause })
    }
    return { ...unsealed(bytes, this.#key, name), id }
  }

  idOf(name: string): string {
    return namedResultId(name, this.#key)
  }

  ids(): readonly string[] {
    return this.#shelf.ids()
  }

  async remove(id: string): Promise<void> {
    const found = this.#shelf.get(id)
    if (found !== undefined) await this.#remove(found)
  }

  async close(): Promise<void> {
    await this.#last
    await Promise.allSettled(this.#writing.values())
  }

  async #place(result: ResultToKeep) {
    for (const one of this.#shelf.expired(this.#clock.now())) await this.#remove(one)
    const expiresAt = Math.floor(result.expiresAt)
    const id = result.name === undefined ? newResultId() : this.idOf(result.name)
    await this.remove(id)
    const place = { id, owner: ownerMark(result.owner), expiresAt }
    const name = nameOf(place)
    const bytes = sealed({ ...result, expiresAt }, this.#key, name)
    const shelved = { ...place, bytes: bytes.length }
    for (const one of this.#shelf.leavingFor(shelved)) await this.#remove(one)
    this.#shelf.add(shelved)
    const written = this.#write(shelved, name, bytes)
    this.#writing.set(place.id, written)
    return { place, written }
  }

  async #write({ id }: ShelvedResult, name: string, bytes: Buffer): Promise<void> {
    try {
      await writeWhole(join(this.#folder, name), bytes)
    } catch (error) {
      this.#shelf.remove(id)
      throw error
    } finally {
      this.#writing.delete(id)
    }
  }

  async #remove(one: ShelvedResult): Promise<void> {
    this.#shelf.remove(one.id)
    await this.#writing.get(one.id)?.catch(() => undefined)
    await rm(join(this.#folder, nameOf(one)), { force: true })
  }
}

function nameOf({ id, owner, expiresAt }: Omit<ShelvedResult, 'bytes'>): string {
  return `${id}.${owner}.${expiresAt}`
}
