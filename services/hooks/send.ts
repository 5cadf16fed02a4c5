// What a coding agent starts before each tool: it sends the event to a running server and prints
// what the host is to read. It is one file that needs nothing but Node, since each call waits for
// it to start. Whatever goes wrong blocks.
import { readFileSync, realpathSync } from 'node:fs'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { pathToFileURL } from 'node:url'

export interface HookSending {
  readonly host: string
  /** Of the server, such as `http://127.0.0.1:7718`. */
  readonly url: string
  readonly token: string
  readonly event: string
  /** Of the whole exchange. */
  readonly timeoutMs: number
}

/** What the process writes, and how it ends. */
export interface HookPrinted {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
}

/** Of the event, and of the answer. */
const bytesMax = 4 * 1024 * 1024
/** Hosts wait for at least 30 seconds as they are set up. */
const timeoutMsDefault = 20_000

/** The answer of the server, or a block that says what is wrong. It never throws. */
export async function sendHook(sending: HookSending): Promise<HookPrinted> {
  try {
    return printedOf(await posted(sending))
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be asked'
    return blockedHook(sending.host, why)
  }
}

/** A block, by exit code and in words; Copilot reads its standard output alone. */
export function blockedHook(host: string, why: string): HookPrinted {
  const reason = `warrant: blocked, since ${why}`
  if (host !== 'copilot') return { stdout: '', stderr: `${reason}\n`, exit: 2 }
  const body = { permissionDecision: 'deny', permissionDecisionReason: reason }
  return { stdout: `${JSON.stringify(body)}\n`, stderr: `${reason}\n`, exit: 0 }
}

function posted({ host, url, token, event, timeoutMs }: HookSending): Promise<string> {
  const target = new URL(`/v1/hooks/${encodeURIComponent(host)}?as=command`, url)
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
  if (isPrinted(value)) return { stdout: value.stdout, stderr: value.stderr, exit: value.exit }
  throw new Error('the server gives an answer that cannot be read: is it `warrant up http`?')
}

function isPrinted(value: unknown): value is HookPrinted {
  if (typeof value !== 'object' || value === null) return false
  const texts = 'stdout' in value && 'stderr' in value ? [value.stdout, value.stderr] : [null]
  const isEnded = 'exit' in value && (value.exit === 0 || value.exit === 2)
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

/** `send.js HOST URL TOKEN-FILE` with the event on standard input. */
async function main([host = '', url = '', file = '']: readonly string[]): Promise<void> {
  let printed: HookPrinted
  try {
    const event = readFileSync(0, 'utf8')
    const token = readToken(file)
    printed = await sendHook({ host, url, token, event, timeoutMs: timeoutMsDefault })
  } catch (error) {
    printed = blockedHook(host, error instanceof Error ? error.message : 'it cannot be asked')
  }
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
