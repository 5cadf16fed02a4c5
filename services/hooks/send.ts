// What a coding agent starts before each tool: it sends the event to a running server and prints
// what the host is to read. It is shipped as one file that needs nothing but Node, since each call
// waits for it to start. Whatever goes wrong blocks, unless it only observes: then nothing does.
import { appendFileSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { pathToFileURL } from 'node:url'
import { failedOutput } from '#shell/hooks/hook-answer'
import { hostNamed, usualHost } from '#shell/hooks/hosts/hosts'

export interface HookSending {
  readonly host: string
  /** Of the server, such as `http://127.0.0.1:7718`. */
  readonly url: string
  readonly token: string
  readonly event: string
  /** Of the whole exchange. */
  readonly timeoutMs: number
  /** Whether the call is only recorded, and nothing is answered. */
  readonly observes?: boolean
  /** The folder of the project; null where it is not known. */
  readonly root?: string | null
}

/** What the process writes, and how it ends. */
export interface HookPrinted {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
  /** Of a hook that only observes: why the call is not recorded with a verdict; null if it is. */
  readonly missed?: string | null
}

/** Of the event, and of the answer. */
const bytesMax = 4 * 1024 * 1024
/** Hosts wait for at least 30 seconds as they are set up. */
const timeoutMsDefault = 20_000
/** So long a call is kept waiting that is only observed. */
export const observedTimeoutMs = 5_000

/** The answer of the server, or a block that says what is wrong. It never throws. */
export async function sendHook(sending: HookSending): Promise<HookPrinted> {
  const { host, event, observes = false } = sending
  try {
    const printed = printedOf(await posted(sending))
    if (!observes || printed.missed !== undefined) return printed
    // One that does not observe has judged, and its answer must not count.
    throw new Error(`the server does not observe: is it older than this?`)
  } catch (error) {
    return failedSending({ host, event, observes }, error)
  }
}

function failedSending(
  { host, event, observes }: { host: string; event: string; observes: boolean },
  error: unknown,
): HookPrinted {
  const why = error instanceof Error ? error.message : 'it cannot be asked'
  return failedOutput(hostNamed(host) ?? usualHost, event, { why, observes })
}

function posted(sending: HookSending): Promise<string> {
  const { host, url, token, event, timeoutMs, observes, root } = sending
  const target = new URL(`/v1/hooks/${encodeURIComponent(host)}?as=command`, url)
  if (observes === true) target.searchParams.set('observe', 'true')
  if (typeof root === 'string' && root !== '') target.searchParams.set('root', root)
  const ask = target.protocol === 'https:' ? overHttps : overHttp
  const body = Buffer.from(event, 'utf8')
  if (body.length > bytesMax) throw new Error(`the event is larger than ${bytesMax} bytes`)
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer)
      request.destroy()
      reject(new Error(why))
    }
    const request = ask(
      target,
      {
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > bytesMax) fail(`the answer of ${url} is too long`)
          else chunks.push(chunk)
        })
        response.on('error', (error) => fail(`${url} broke off (${error.message})`))
        response.on('end', () => {
          clearTimeout(timer)
          const text = Buffer.concat(chunks).toString('utf8')
          if (response.statusCode === 200) resolve(text)
          else fail(`${url} answers with status ${response.statusCode}: is it \`warrant up http\`?`)
        })
      },
    )
    const timer = setTimeout(() => {
      fail(`${url} did not answer within ${timeoutMs / 1_000} s: look at \`warrant up http\``)
    }, timeoutMs)
    request.on('error', (error) => {
      fail(`${url} is out of reach (${error.message}): start it with \`warrant up http\``)
    })
    request.end(body)
  })
}

function printedOf(text: string): HookPrinted {
  const value: unknown = JSON.parse(text)
  if (isPrinted(value)) {
    const { stdout, stderr, exit, missed } = value
    return { stdout, stderr, exit, ...(missed !== undefined && { missed }) }
  }
  throw new Error('the server gives an answer that cannot be read: is it `warrant up http`?')
}

function isPrinted(value: unknown): value is HookPrinted {
  if (typeof value !== 'object' || value === null) return false
  const texts = 'stdout' in value && 'stderr' in value ? [value.stdout, value.stderr] : [null]
  const isEnded = 'exit' in value && (value.exit === 0 || value.exit === 2)
  const missed: unknown = 'missed' in value ? value.missed : null
  if (missed !== null && typeof missed !== 'string') return false
  return isEnded && texts.every((one) => typeof one === 'string')
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new Error(
      `the token file \`${file}\` cannot be read: \`warrant tokens create\` makes one`,
    )
  }
}

const missesBytesMax = 1024 * 1024

/** One line more in the file that counts what was not recorded. */
function countMissed(file: string, door: string, why: string): void {
  try {
    mkdirSync(new URL('.', pathToFileURL(file)), { recursive: true, mode: 0o700 })
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= missesBytesMax) return
    appendFileSync(file, `${JSON.stringify({ at: Date.now(), door, why: why.slice(0, 400) })}\n`)
  } catch {
    // It is on standard error all the same.
  }
}

/**
 * `send.js [--root FOLDER] HOST URL TOKEN-FILE` with the event on standard input. With a file more
 * it only observes, and the file counts what is not recorded.
 */
async function main(words: readonly string[]): Promise<void> {
  const root = words[0] === '--root' ? words[1] : null
  const [host = '', url = '', file = '', misses] = words.slice(root === null ? 0 : 2)
  const observes = misses !== undefined
  const timeoutMs = observes ? observedTimeoutMs : timeoutMsDefault
  let event = ''
  let printed: HookPrinted
  try {
    event = readFileSync(0, 'utf8')
    const token = readToken(file)
    printed = await sendHook({ host, url, token, event, timeoutMs, observes, root: root ?? null })
  } catch (error) {
    printed = failedSending({ host, event, observes }, error)
  }
  const { missed } = printed
  if (observes && typeof missed === 'string') countMissed(misses, `hook ${host}`, missed)
  process.stdout.write(printed.stdout)
  process.stderr.write(printed.stderr)
  process.exitCode = printed.exit
}

const [, program] = process.argv
if (program !== undefined && isThisFile(program)) await main(process.argv.slice(2))

function isThisFile(path: string): boolean {
  try {
    return pathToFileURL(realpathSync(path)).href === import.meta.url
  } catch {
    return false
  }
}
