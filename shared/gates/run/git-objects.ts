// Objects of a git repository, as `git cat-file` prints them, each checked against its own name. A
// worker may have written all of the repository, its settings included: nothing of these may start
// a program, and no object is fetched that is not there.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { platform, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { plainEnvironment, startProgram, type RunningProgram } from '#system/processes'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { limitedCommand, processLimits } from './confinement.ts'
import { hardLimits } from './hard-limits.ts'
import { NotCopied } from './copying.ts'

export interface GitObject {
  readonly type: string
  readonly size: number
  /** To be read to its end before the next object is; it throws where it is not what was named. */
  readonly content: AsyncIterable<Uint8Array>
}

export interface GitObjects {
  /** By their whole names; they come in this order. */
  ask(names: readonly string[]): void
  /** The next that was asked for; null where there is no such object. */
  next(): Promise<GitObject | null>
  close(): Promise<void>
}

/** Settings of a caller's environment and home would hold here as well, were they passed on. */
const environment = {
  ...plainEnvironment,
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
}

/** What holds over the repository's own settings. It may belong to another user. */
const settings = [
  'safe.directory=*',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'protocol.allow=never',
]

const memory = { memoryMb: 2_048, fileMb: 1, processes: 1 }

/** `ms`: how long git may run. Throws `NotCopied` where it does not start. */
export async function openObjects(repository: string, ms: number): Promise<GitObjects> {
  const options = settings.flatMap((setting) => ['-c', setting])
  const git = ['git', `--git-dir=${await folderOfGit(repository)}`, '--no-replace-objects']
  const command = [...git, ...options, 'cat-file', '--batch']
  const used = { ...memory, timeoutSeconds: Math.ceil(ms / 1_000) }
  const limits = processLimits(used, { isApart: false, hard: await hardLimits() })
  const limited = platform() === 'linux' ? limitedCommand(limits, command) : command
  const started = (await startedWith(limited)) ?? (await startedWith(command))
  if (started === null) throw new NotCopied('git_missing')
  started.errors.resume()
  return reading(started, ms)
}

/**
 * The one beside a work tree, or the repository itself: never one that lies further up, nor one
 * that leads to the objects of another, which the verifier may read and the worker may not.
 */
async function folderOfGit(repository: string): Promise<string> {
  const [whole, inside] = [resolve(repository), join(resolve(repository), '.git')]
  const beside = await kindAt(inside)
  if (beside !== 'folder' && beside !== 'nothing') throw new NotCopied('repository_unreadable')
  const found = beside === 'folder' ? inside : whole
  const elsewhere = ['commondir', 'objects/info/alternates', 'objects/info/http-alternates']
  for (const name of elsewhere) {
    const isThere = (await kindAt(join(found, name))) !== 'nothing'
    if (isThere) throw new NotCopied('repository_unreadable')
  }
  await refuseLinks(join(found, 'objects'), { left: entriesMax })
  return found
}

const entriesMax = 1_000_000

/** Throws where the folder, or anything below it, is a link. */
async function refuseLinks(folder: string, count: { left: number }): Promise<void> {
  const kind = await kindAt(folder)
  if (kind === 'nothing') return
  if (kind !== 'folder') throw new NotCopied('repository_unreadable')
  for await (const entry of await opendir(folder)) {
    count.left -= 1
    if (count.left < 0) throw new NotCopied('repository_unreadable')
    if (entry.isSymbolicLink()) throw new NotCopied('repository_unreadable')
    const path = join(folder, entry.name)
    if (!entry.isFile() && (await kindAt(path)) === 'folder') await refuseLinks(path, count)
  }
}

async function kindAt(path: string): Promise<'folder' | 'nothing' | 'other'> {
  try {
    const { mode } = await lstat(path)
    return (mode & constants.S_IFMT) === constants.S_IFDIR ? 'folder' : 'other'
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : null
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'nothing' : 'other'
  }
}

/** Null where there is no such program. */
async function startedWith([program = '', ...args]: readonly string[]) {
  try {
    return await startProgram({ program, args, cwd: tmpdir(), env: environment })
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    if (error.detail['error'] === 'ENOENT') return null
    throw new NotCopied('repository_unreadable')
  }
}

/** What a program ends with that was to start another, and did not find it. */
const notFound = 127

function reading(started: RunningProgram, ms: number): GitObjects {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void started.stop()
  }, ms)
  const asked: string[] = []
  const pulled = new Pulled(started.output, async () => {
    const { code } = await started.ended
    if (isLate) return new NotCopied('timed_out')
    return new NotCopied(code === notFound ? 'git_missing' : 'repository_unreadable')
  })
  let answered = 0
  return {
    ask(names) {
      asked.push(...names)
      for (const name of names) started.input.write(`${name}\n`)
    },
    async next() {
      const name = asked[answered] ?? ''
      answered += 1
      const head = await pulled.line()
      if (head === `${name} missing`) return null
      const { type, digits } = header.exec(head)?.groups ?? {}
      // What it takes for another name than that of an object has another one in its answer.
      if (type === undefined || !head.startsWith(`${name} `)) return null
      const size = Number(digits)
      return { type, size, content: checked({ pulled, name, type, size }) }
    },
    async close() {
      clearTimeout(timer)
      await started.stop()
    },
  }
}

const header = /^[0-9a-f]+ (?<type>[a-z]+) (?<digits>\d{1,15})$/

interface Checking {
  readonly pulled: Pulled
  readonly name: string
  readonly type: string
  readonly size: number
}

const sha1Digits = 40

/** What git keeps under a name it does not check when it reads it. */
async function* checked({ pulled, name, type, size }: Checking): AsyncGenerator<Uint8Array> {
  const hash = createHash(name.length === sha1Digits ? 'sha1' : 'sha256')
  hash.update(`${type} ${size}\0`)
  for await (const part of pulled.bytes(size)) {
    hash.update(part)
    yield part
  }
  const end = await pulled.line()
  if (end !== '' || hash.digest('hex') !== name) throw new NotCopied('repository_unreadable')
}

const lineBytesMax = 256
const newline = 0x0a

/** A stream from which lines and bytes are taken in turn. */
class Pulled {
  readonly #chunks: AsyncIterator<Buffer, null>
  readonly #atEnd: () => Promise<NotCopied>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer, null>, atEnd: () => Promise<NotCopied>) {
    this.#chunks = stream[Symbol.asyncIterator]()
    this.#atEnd = atEnd
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(newline)
      if (end >= 0) {
        const line = this.#rest.toString('latin1', 0, end)
        this.#rest = this.#rest.subarray(end + 1)
        return line
      }
      if (this.#rest.length > lineBytesMax) throw new NotCopied('repository_unreadable')
      this.#rest = Buffer.concat([this.#rest, await this.#more()])
    }
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (this.#rest.length === 0) this.#rest = await this.#more()
      const part = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(part.length)
      left -= part.length
      yield part
    }
  }

  /** Throws where there is no more: git goes on until its input ends. */
  async #more(): Promise<Buffer> {
    // A stream that is cut off ends with an error.
    const { done, value } = await this.#chunks.next().catch(() => cutOff)
    if (done === true) throw await this.#atEnd()
    return value
  }
}

const cutOff: IteratorResult<Buffer, null> = { done: true, value: null }
