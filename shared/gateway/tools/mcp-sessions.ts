// Sessions with servers of tools: one for each server, opened when it is needed, shared by calls,
// and opened again after it has ended. It must leave no program running after it was closed.
import { tmpdir } from 'node:os'
import { filledText, wordPart } from '#rules/drivers/filling'
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { Happened } from '#schemas/action/tool-failure'
import type { ToolServer } from '#schemas/action/driver'
import type { Exchanges } from '#system/egress/exchange'
import type * as mcpLibrary from './mcp-library.ts'
import type { McpChannel, McpNotice, McpSession } from './mcp-library.ts'
import { orAbort } from '#system/egress/aborting'
import { failureTextBytesMax } from '#ports/tools'
import { answeredBetween, failureReadBytesMax } from './outcome.ts'
import { plainEnvironment, startProgram, type RunningProgram } from '#system/processes'
import type { Secrets } from './secrets.ts'

export interface SessionOptions {
  readonly secrets: Secrets
  readonly sending: Exchanges
  readonly environment?: Readonly<Record<string, string>>
  /** Takes what servers say unasked. */
  readonly onNotice?: (notice: McpNotice) => void
}

export interface McpSessions {
  /** Throws a `ToolFailure` with `happened` `no` where there is no session. */
  use<T>(
    server: ToolServer,
    signal: AbortSignal,
    act: (session: McpSession) => Promise<T>,
  ): Promise<T>
  close(): Promise<void>
}

/** So long a server has to begin a session; it is shared, so no call's deadline ends it. */
const openMs = 30_000

interface OpenSession extends McpSession {
  /** What the program wrote for its operator last, without secrets; empty where there is none. */
  readonly lastWords: () => string
}

interface Kept {
  /** The server as it was, and what it was started with: of another, this is no session. */
  readonly key: string
  readonly session: Promise<OpenSession>
  /** How many calls use it; after the last one it ends, where no further one may. */
  uses: number
  ending: boolean
}

export function mcpSessions(options: SessionOptions): McpSessions {
  const current = new Map<string, Kept>()
  const all = new Set<Kept>()
  let isOpen = true
  const end = async (kept: Kept): Promise<void> => {
    all.delete(kept)
    await kept.session.then((session) => session.close()).catch(() => {})
  }
  const retire = (id: string, kept: Kept): void => {
    if (current.get(id) === kept) current.delete(id)
    kept.ending = true
    if (kept.uses === 0) void end(kept)
  }
  const keptFor = async (server: ToolServer): Promise<Kept> => {
    const env = await environmentOf(server, options)
    if (!isOpen) throw new ToolFailure('driver_invalid', 'no')
    const key = keyOf(server, env)
    const before = current.get(server.id)
    if (before?.key === key) return before
    if (before !== undefined) retire(server.id, before)
    const kept: Kept = { key, session: open(server, env, options), uses: 0, ending: false }
    current.set(server.id, kept)
    all.add(kept)
    const forget = (): void => retire(server.id, kept)
    kept.session.then(({ ended }) => ended?.then(forget), forget)
    return kept
  }
  return {
    async use(server, signal, act) {
      for (let isAgain = false; ; isAgain = true) {
        const kept = await keptFor(server)
        kept.uses += 1
        try {
          return await act(await orAbort(kept.session, signal, () => 'no'))
        } catch (error) {
          const isForgotten = await forgot(kept, error)
          if (isForgotten || endsSession(error)) retire(server.id, kept)
          if (!isForgotten || isAgain) throw await withLastWords(kept, error)
        } finally {
          kept.uses -= 1
          if (kept.ending && kept.uses === 0) void end(kept)
        }
      }
    },
    async close() {
      isOpen = false
      await Promise.all([...all].map(end))
    },
  }
}

/** Of a server that ended in the middle of it, with what it wrote last. */
async function withLastWords({ session }: Kept, error: unknown): Promise<unknown> {
  const failure = await toolFailureIn(error, 'unknown')
  if (failure.code !== 'connection_lost') return error
  const opened = await session.catch(() => null)
  return opened === null ? error : lastSaid(failure, opened.lastWords())
}

function lastSaid({ code, happened, detail }: ToolFailure, text: string): ToolFailure {
  return new ToolFailure(code, happened, { ...(text !== '' && { text }), ...detail })
}

/** The end of standard error, of which no secret is cut in two. */
function lastWordsOf({ errors }: RunningProgram, secrets: Secrets): () => string {
  let tail = Buffer.alloc(0)
  errors.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-failureReadBytesMax)
  })
  return () => secrets.scrub(tail.toString('utf8')).trim().slice(-failureTextBytesMax)
}

/** A server that answered, even with an error, goes on; one that was given up on may not. */
function endsSession(error: unknown): boolean {
  return error instanceof ToolFailure && ending.has(error.code)
}

const ending: ReadonlySet<string> = new Set([
  'connection_lost',
  'http_status',
  'protocol_error',
  'redirected',
  'unreachable',
])

/**
 * A server that does not know the name of a session any more answers so, and did nothing: it is
 * asked again in another session.
 */
async function forgot({ session }: Kept, error: unknown): Promise<boolean> {
  if ((await statusOf(error)) !== 404) return false
  return (await session.catch(() => null))?.isNamed === true
}

async function statusOf(error: unknown): Promise<unknown> {
  if (!(error instanceof ToolFailure)) return (await loaded()).httpStatusOf(error)
  return error.code === 'http_status' ? error.detail['status'] : null
}

function keyOf(server: ToolServer, env: Readonly<Record<string, string>>): string {
  return JSON.stringify([server, env])
}

async function environmentOf(
  server: ToolServer,
  { secrets, environment = plainEnvironment }: SessionOptions,
): Promise<Readonly<Record<string, string>>> {
  if (!('command' in server)) return {}
  const filled: Record<string, string> = {}
  for (const [name, template] of Object.entries(server.env ?? {})) {
    filled[name] = await secrets.filled(filledText(template, {}, wordPart))
  }
  return { ...environment, ...filled }
}

type Library = typeof mcpLibrary

// The newer protocol is asked for first. Some older servers end or fall silent at a question that
// they do not know, and are asked again in the way that they do; no tool was called by then.
async function open(
  server: ToolServer,
  env: Readonly<Record<string, string>>,
  options: SessionOptions,
): Promise<OpenSession> {
  const library = await loaded()
  try {
    return await begin(library, { server, env, options, legacy: false })
  } catch (error) {
    const failure = await toolFailureIn(error, 'no')
    if (failure.code !== 'connection_lost' && failure.code !== 'protocol_error') throw failure
  }
  try {
    return await begin(library, { server, env, options, legacy: true })
  } catch (error) {
    throw await toolFailureIn(error, 'no')
  }
}

interface Beginning {
  readonly server: ToolServer
  readonly env: Readonly<Record<string, string>>
  readonly options: SessionOptions
  readonly legacy: boolean
}

async function begin(library: Library, beginning: Beginning): Promise<OpenSession> {
  const { server, env, options, legacy } = beginning
  const signal = AbortSignal.timeout(openMs)
  const channel = await channelOf(server, env, options)
  const { onNotice, secrets } = options
  const program = channel.kind === 'program' ? channel.program : null
  const lastWords = program === null ? () => '' : lastWordsOf(program, secrets)
  const opening = { legacy, signal, secrets, ...(onNotice && { onNotice }) }
  try {
    return { ...(await library.openToolSession(channel, opening)), lastWords }
  } catch (error) {
    const failure = await toolFailureIn(error, 'no')
    // All of it is read once the program has ended.
    await program?.stop()
    await program?.ended
    throw lastSaid(failure, lastWords())
  }
}

async function channelOf(
  server: ToolServer,
  env: Readonly<Record<string, string>>,
  { sending, secrets }: SessionOptions,
): Promise<McpChannel> {
  if (!('command' in server)) {
    const { guardedFetch } = await import('./mcp-fetch.ts')
    return { kind: 'http', url: server.url, fetch: guardedFetch(server, { sending, secrets }) }
  }
  const [program = '', ...args] = server.command
  const running = await startProgram({ program, args, cwd: server.cwd ?? tmpdir(), env })
  return { kind: 'program', program: running }
}

async function loaded(): Promise<Library> {
  try {
    return await import('./mcp-library.ts')
  } catch (cause) {
    throw Object.assign(new ToolFailure('package_missing', 'no'), { cause })
  }
}

const causesMax = 8

/**
 * What an error of the library comes to. Our own failure may stand among its causes; an error that
 * the server answered with is the tool's.
 */
export async function toolFailureIn(error: unknown, otherwise: Happened): Promise<ToolFailure> {
  let cause = error
  for (let depth = 0; depth < causesMax && cause instanceof Error; depth += 1) {
    if (cause instanceof ToolFailure) {
      const happened = cause.happened === 'no' ? 'no' : otherwise
      return new ToolFailure(cause.code, happened, cause.detail)
    }
    cause = cause.cause
  }
  const { answeredError, httpStatusOf } = await loaded()
  const status = httpStatusOf(error)
  if (status !== null) {
    const happened = otherwise === 'unknown' && !answeredBetween.has(status) ? 'yes' : otherwise
    return new ToolFailure('http_status', happened, { status })
  }
  const answered = answeredError(error)
  if (answered !== null) {
    const { code: rpc, text } = answered
    const isBefore = otherwise === 'no'
    return new ToolFailure(isBefore ? 'protocol_error' : 'tool_error', isBefore ? 'no' : 'yes', {
      rpc,
      text,
    })
  }
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : null
  const isLost = code === 'CONNECTION_CLOSED' || code === 'SEND_FAILED' || code === 'NOT_CONNECTED'
  return new ToolFailure(isLost ? 'connection_lost' : 'protocol_error', otherwise)
}
