// A process that is made to be killed: it appends with many appends under way, or works a queue,
// and says on its standard output what it begins and what it was promised, in writes that cannot
// be lost.
import { writeSync } from 'node:fs'
import { sqliteLog } from '#log/sqlite/log'
import type { Log } from '#ports/log'

export type Task =
  | {
      readonly kind: 'append'
      readonly path: string
      readonly writer: string
      readonly under: number
    }
  | { readonly kind: 'work'; readonly path: string; readonly leaseMs: number }

/** What a writer binds to a name: it can be checked without knowing more than the name. */
export function bytesOf(name: string, writer: string, index: number): Uint8Array {
  const length = (index * 7919) % 5000
  return new TextEncoder().encode(`${name} ${writer} ${length} ${'x'.repeat(length)}`)
}

/** Every fifth name is one that all writers want. */
function nameOf(writer: string, index: number): string {
  return index % 5 === 0 ? `main.1.wanted.n${index}` : `main.1.own.${writer}.n${index}`
}

/**
 * Says it before anything else happens. A reader that is slow is waited for, or words were lost.
 */
function say(...words: readonly (string | number)[]): void {
  let rest = Buffer.from(`${words.join(' ')}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}

async function append(log: Log, writer: string, under: number): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (;;) {
      const index = next
      next += 1
      const name = nameOf(writer, index)
      say('begun', name)
      const { appended, fact } = await log.append({ name, bytes: bytesOf(name, writer, index) })
      say('bound', name, fact.position, appended ? 'mine' : 'theirs')
    }
  }
  await Promise.all(Array.from({ length: under }, lane))
}

async function work(log: Log): Promise<void> {
  const options = { inFlightMax: 16, signal: new AbortController().signal }
  for await (const job of log.work('kill', ['main.1.job.>'], options)) {
    say('begun', job.fact.name)
    // Every second job is kept, so that this process always dies with jobs out.
    if (job.fact.position % 2 === 0) continue
    await job.done()
    say('done', job.fact.name)
  }
}

async function obey(task: Task): Promise<void> {
  if (task.kind === 'append') return append(await sqliteLog(task.path), task.writer, task.under)
  return work(await sqliteLog(task.path, { leaseMs: task.leaseMs }))
}

// Only a process of its own takes orders.
if (process.argv[1] === import.meta.filename) {
  process.on('message', (task: Task) => void obey(task))
  say('ready')
}
