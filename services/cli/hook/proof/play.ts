// `hook test`: plays a coding agent against the hook that is installed, by the agent's published
// schema: what is allowed, asked and denied, and what happens where the server is gone, the event
// cannot be read, and the answer does not come. It shows what was proven, and what was not.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { hooksIn } from '#core/hooks/hook-settings'
import { Fault } from '#core/kernel/fault'
import { parseJson } from '#core/kernel/json'
import { configuration } from '#runtime/wiring/config'
import { exitCodes } from '#schemas/faults/exit'
import type { HookHost } from '#schemas/hooks/tools'
import type { GlobalOptions } from '../../opening/options.ts'
import { usage } from '../../terminal/failure.ts'
import { personHere } from '../../terminal/person.ts'
import { tableLines } from '../../terminal/table.ts'
import { print, printJson } from '../../terminal/terminal.ts'
import { codexObstacles } from '../codex-hooks.ts'
import { failing } from '../closing-notes.ts'
import { playedEvent } from './played-event.ts'
import { proveLive, type DeadServer, type LiveFinding } from './live.ts'
import { drivenAgents } from './live-agents.ts'
import {
  beforeEvents,
  observesIn,
  settingsFile,
  wayOf,
  type SettingsPlace,
} from '../settings-place.ts'

export interface PlayOptions extends GlobalOptions, SettingsPlace {
  readonly for: HookHost
  /** Drives the installed agent, too. */
  readonly live?: boolean
  /** Without asking. */
  readonly yes?: boolean
  /** How long the agent may take, in milliseconds. */
  readonly liveTimeout?: number
}

interface Played {
  readonly case: string
  readonly expected: string
  readonly found: string
  readonly proven: boolean
}

/** Ends with 5 where something that must block does not, and with 7 where that is not known. */
export async function playHooks(options: PlayOptions): Promise<number> {
  const { for: host } = options
  if (options.live === true) await agreeToLive(options)
  const file = settingsFile(options)
  const handler = handlerIn(await settingsText(file), host, file)
  const rows: Played[] = []
  const play = async (
    name: string,
    event: string,
    { expected, at = handler }: { readonly expected: readonly Outcome[]; readonly at?: Handler },
  ): Promise<void> => {
    const found = await outcomeOf(host, at, event)
    rows.push({
      case: name,
      expected: expected.join(' or '),
      found,
      proven: expected.includes(found),
    })
  }
  const command = (text: string) => JSON.stringify(playedEvent(host, text))
  const { allowed, asked, denied, failed } = handler.observes ? observing : enforcing
  await play('a command that only reads', command('ls'), { expected: allowed })
  await play('one that people are asked about', command('npm test'), { expected: asked })
  await play('one that destroys outside', command('rm -rf /etc'), { expected: denied })
  await play('an event that is no JSON', '{"tool_name":', { expected: failed })
  await play('an event of another kind', '{}', { expected: failed })
  for (const [name, server] of [
    ['a server that is gone', await goneServer()],
    ['a server that never answers', await mutedServer()],
  ] as const) {
    const at = pointedAt(handler, server.url)
    if (at !== null) await play(name, command('ls'), { expected: failed, at })
    server.close()
  }
  const obstacles = host === 'codex' ? await codexObstacles(file) : []
  if (host === 'codex') {
    const found = obstacles.length === 0 ? 'on' : 'off'
    rows.push({ case: 'whether it runs hooks', expected: 'on', found, proven: found === 'on' })
  }
  const { closed, text } = handler.observes ? { closed: false, text: unblocked } : failing[host]
  const isBlocking = rows.every(({ proven }) => proven)
  const proof = options.live === true ? await liveFinding(options, handler) : null
  const live = proof?.text ?? 'not proven with this version'
  const enforces = !handler.observes
  const seen = { host, file, enforces, rows, obstacles, failsClosed: closed, live, proof, text }
  if (options.json === true) await printJson(seen)
  else {
    const cells = rows.map((row) => [
      row.case,
      row.expected,
      row.found,
      row.proven ? 'ok' : 'WRONG',
    ])
    await print([
      `${host}, as \`${file}\` has it, played by its published schema:`,
      ...(handler.observes ? [notEnforced] : []),
      ...tableLines(['', 'expected', 'found', ''], cells),
      ...obstacles.map((line) => `Codex does not run these hooks: ${line}.`),
      `The hook that cannot run at all: ${text}.`,
      `The installed agent itself${ofVersion(proof)}: ${live}.`,
    ])
  }
  if (!isBlocking || proof?.outcome === 'ran') return exitCodes.differs
  return proof?.outcome === 'not proven' ? exitCodes.unchecked : exitCodes.yes
}

function ofVersion(proof: LiveFinding | null): string {
  return proof?.version === null || proof === null ? '' : ` (${proof.version})`
}

const liveMsDefault = 120_000

function liveFinding(
  { for: host, liveTimeout }: PlayOptions,
  { by }: Handler,
): Promise<LiveFinding> {
  const timeoutMs = liveTimeout ?? liveMsDefault
  const wayTo = ({ url, tokenFile }: DeadServer) =>
    wayOf({ for: host, url, ...(by === 'command' && { command: true, tokenFile }) })
  return proveLive({ host, wayTo, timeoutMs })
}

/** Before anything is started. */
async function agreeToLive({ for: host, yes }: PlayOptions): Promise<void> {
  const { program, own } = drivenAgents[host]
  if (yes === true) return
  const person = personHere()
  if (person === null) throw usage(`--live starts ${program}: give --yes, or call it at a terminal`)
  const what = `This starts ${program} in a folder of its own, with ${own}. It uses your account.`
  try {
    if (await person.agrees(`${what} Start it?`)) return
  } finally {
    person.close()
  }
  throw new Fault('not_signed', `${program} was not started`)
}

interface Expected {
  readonly allowed: readonly Outcome[]
  readonly asked: readonly Outcome[]
  readonly denied: readonly Outcome[]
  /** Where the hook cannot do its work. */
  readonly failed: readonly Outcome[]
}

const enforcing: Expected = {
  allowed: ['allow'],
  asked: ['ask', 'deny'],
  denied: ['deny'],
  failed: ['deny'],
}
const observing: Expected = {
  allowed: ['nothing'],
  asked: ['nothing'],
  denied: ['nothing'],
  failed: ['nothing', 'nothing, not recorded'],
}
const notEnforced = 'NOTHING IS ENFORCED: it only observes, and answers nothing (`--observe`).'
const unblocked = 'it only observes, so the call runs'

type Handler = { readonly observes: boolean } & (
  | { readonly by: 'command'; readonly command: string }
  | { readonly by: 'http'; readonly url: string }
)

const Entry = z.looseObject({
  command: z.string().optional(),
  bash: z.string().optional(),
  url: z.string().optional(),
  hooks: z
    .array(z.looseObject({ command: z.string().optional(), url: z.string().optional() }))
    .optional(),
})

async function settingsText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new Fault(
      'hook_missing',
      `\`${file}\` cannot be read: \`warrant hook install\` writes it`,
      {
        cause,
      },
    )
  }
}

function handlerIn(text: string, host: HookHost, file: string): Handler {
  const found = hooksIn(text, host).find(({ event }) => event === beforeEvents[host])
  const entry = Entry.safeParse(found?.entry)
  const { command, bash, url } = entry.data?.hooks?.[0] ?? entry.data ?? {}
  const line = command ?? (typeof bash === 'string' ? bash : undefined)
  const observes = observesIn(url ?? line ?? '')
  if (url !== undefined) return { by: 'http', url, observes }
  if (line !== undefined) return { by: 'command', command: line, observes }
  const fix = `\`warrant hook install --for ${host}\` adds it`
  throw new Fault('hook_missing', `\`${file}\` has no hook of ours before tools: ${fix}`)
}

/** The same hook, with that server in place of its own; null where it asks none. */
function pointedAt(handler: Handler, url: string): Handler | null {
  const pattern = /https?:\/\/[^\s/'"]+/u
  const text = handler.by === 'http' ? handler.url : handler.command
  if (!pattern.test(text)) return null
  const now = text.replace(pattern, url)
  return handler.by === 'http' ? { ...handler, url: now } : { ...handler, command: now }
}

type Outcome =
  | 'allow'
  | 'ask'
  | 'deny'
  | 'nothing'
  | 'nothing, not recorded'
  | 'runs, since the hook failed'

/** As long as the host would wait. */
const patienceMs = { enforcing: 30_000, observing: 10_000 }

async function outcomeOf(host: HookHost, handler: Handler, event: string): Promise<Outcome> {
  if (handler.by === 'http') return overHttp(handler, event)
  const { code, stdout, stderr } = await processOf(handler.command, event, patienceFor(handler))
  if (code === 2 && host !== 'copilot') return 'deny'
  if (code !== 0) return open(host)
  const found = readAnswer(stdout, handler)
  return found === 'nothing' && stderr.includes('not recorded') ? 'nothing, not recorded' : found
}

function open(host: HookHost): Outcome {
  return host === 'cursor' || host === 'claude-code' ? 'deny' : 'runs, since the hook failed'
}

const Answer = z.looseObject({
  permission: z.string().optional(),
  decision: z.string().optional(),
  permissionDecision: z.string().optional(),
  hookSpecificOutput: z.looseObject({ permissionDecision: z.string().optional() }).optional(),
})

/** What each host makes of what is printed; without a word of ours the call runs. */
function readAnswer(stdout: string, { observes }: Pick<Handler, 'observes'>): Outcome {
  const silent = observes ? 'nothing' : 'allow'
  if (stdout.trim() === '') return silent
  let value: unknown
  try {
    value = parseJson(stdout)
  } catch {
    return 'runs, since the hook failed'
  }
  const answer = Answer.safeParse(value)
  const { permission, decision, permissionDecision, hookSpecificOutput } = answer.data ?? {}
  const word =
    permission ?? decision ?? permissionDecision ?? hookSpecificOutput?.permissionDecision
  if (word === undefined) return silent
  return word === 'deny' || word === 'ask' ? word : 'allow'
}

async function overHttp(
  handler: Extract<Handler, { by: 'http' }>,
  event: string,
): Promise<Outcome> {
  const { url, observes } = handler
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${configuration().token ?? ''}`,
      },
      body: event,
      signal: AbortSignal.timeout(patienceFor(handler)),
    })
    if (response.ok) return readAnswer(await response.text(), handler)
    return observes ? 'nothing, not recorded' : 'deny'
  } catch {
    // With `onFailure` it blocks; a version without it lets the call run.
    return observes ? 'nothing, not recorded' : 'deny'
  }
}

function patienceFor({ observes }: Handler): number {
  return observes ? patienceMs.observing : patienceMs.enforcing
}

function processOf(
  command: string,
  event: string,
  waitMs: number,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: 'pipe' })
    const timer = setTimeout(() => child.kill('SIGKILL'), waitMs)
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
    // A hook that ends early reads no more.
    child.stdin.on('error', () => undefined)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stdout, stderr })
    })
    child.stdin.end(event)
  })
}

interface PlayedServer {
  readonly url: string
  close(): void
}

/** Takes connections and never answers. */
async function mutedServer(): Promise<PlayedServer> {
  const server = createServer((socket) => socket.on('error', () => undefined))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server.unref()
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

async function goneServer(): Promise<PlayedServer> {
  const server = await mutedServer()
  server.close()
  return { url: server.url, close: () => undefined }
}
