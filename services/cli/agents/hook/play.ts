// `hook test`: plays a coding agent against the hook that is installed, by the agent's published
// schema: what is allowed, asked and denied, and what happens where the server is gone, the event
// cannot be read, and the answer does not come. It shows what was proven, and what was not.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { playedSession } from '#shell/hooks/hook-event'
import { hooksIn } from '#shell/hooks/hook-settings'
import type { Host } from '#shell/hooks/hosts/host'
import { isMap } from '#messages/envelope'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { configuration } from '#wiring/config'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { personHere } from '#cli/terminal/person'
import { tableLines } from '#cli/terminal/table'
import { print, printJson } from '#cli/terminal/terminal'
import { proveLive, type HookedServer, type LiveFinding } from './live.ts'
import {
  obstaclesTo,
  settingsFile,
  wayOf,
  type SettingsPlace,
  observesIn,
} from './settings-place.ts'
import { deadServer, ended } from './stand-ins.ts'

interface PlayOptions extends GlobalOptions, SettingsPlace {
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
  const file = settingsFile(options)
  const handler = handlerIn(await settingsText(file), host, file)
  if (options.live === true) await agreeToLive(options, handler)
  const rows = await rowsOf(host, handler)
  const obstacles = await obstaclesTo(host, file)
  if (host.configuration !== undefined) {
    const isOn = obstacles.length === 0
    const found = isOn ? 'on' : 'off'
    rows.push({ case: 'whether it runs hooks', expected: 'on', found, proven: isOn })
  }
  const { closed, text } = handler.observes ? { closed: false, text: unblocked } : host.failing
  const isBlocking = rows.every(({ proven }) => proven)
  const proof = options.live === true ? await liveFinding(options, handler) : null
  const live = proof?.text ?? 'not proven with this version'
  const enforces = !handler.observes
  const seen = {
    host: host.name,
    file,
    enforces,
    rows,
    obstacles,
    failsClosed: closed,
    live,
    proof,
    text,
  }
  if (options.json === true) await printJson(seen)
  else {
    const cells = rows.map((row) => [
      row.case,
      row.expected,
      row.found,
      row.proven ? 'ok' : 'WRONG',
    ])
    await print([
      `${host.name}, as \`${file}\` has it, played by its published schema:`,
      ...(handler.observes ? [notEnforced] : []),
      ...tableLines(['', 'expected', 'found', ''], cells),
      ...obstacles.map((line) => `${host.title} does not run these hooks: ${line}.`),
      `The hook that cannot run at all: ${text}.`,
      `The installed agent itself${ofVersion(proof)}: ${live}.`,
    ])
  }
  if (!isBlocking || proof?.outcome === 'ran') return exitCodes.differs
  return proof?.outcome === 'not proven' ? exitCodes.unchecked : exitCodes.yes
}

async function rowsOf(host: Host, handler: Handler): Promise<Played[]> {
  const { allowed, asked, denied, failed } = handler.observes ? observing : enforcing
  const [gone, mute] = [await deadServer(), await deadServer()]
  gone.close()
  const command = (text: string): string => {
    const id = `test-${process.pid}-${process.hrtime.bigint()}`
    return JSON.stringify(host.played(text, { session: playedSession, cwd: process.cwd(), id }))
  }
  const cases: readonly (readonly [string, string, readonly HookEffect[], Handler | null])[] = [
    ['a command that only reads', command('ls'), allowed, handler],
    ['one that people are asked about', command('npm test'), asked, handler],
    ['one that destroys outside', command('rm -rf /etc'), denied, handler],
    ['an event that is no JSON', '{"tool_name":', failed, handler],
    ['an event of another kind', '{}', failed, handler],
    ['a server that is gone', command('ls'), failed, pointedAt(handler, gone.url)],
    ['a server that never answers', command('ls'), failed, pointedAt(handler, mute.url)],
  ]
  const rows: Played[] = []
  for (const [name, event, right, at] of cases) {
    if (at === null) continue
    const found = await effectOf(host, at, event)
    rows.push({ case: name, expected: right.join(' or '), found, proven: right.includes(found) })
  }
  mute.close()
  return rows
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
  const wayTo = ({ url, tokenFile }: HookedServer) =>
    wayOf({ for: host, url, ...(by === 'command' && { command: true, tokenFile }) })
  return proveLive({ host, wayTo, timeoutMs })
}

/** Before anything is started. */
async function agreeToLive({ for: host, yes }: PlayOptions, { observes }: Handler): Promise<void> {
  const { program, own } = host.driven
  if (observes) throw usage('--live proves that a call is blocked, and this hook only observes')
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
  readonly allowed: readonly HookEffect[]
  readonly asked: readonly HookEffect[]
  readonly denied: readonly HookEffect[]
  /** Where the hook cannot do its work. */
  readonly failed: readonly HookEffect[]
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

/** The hook before tools, as the settings have it. */
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
    const fix = '`warrant hook install` writes it'
    throw new Fault('hook_missing', `\`${file}\` cannot be read: ${fix}`, { cause })
  }
}

/** Throws a Fault `hook_missing`. */
function handlerIn(text: string, host: Host, file: string): Handler {
  const found = hooksIn(text, host).find(({ event }) => event === host.before)
  const entry = Entry.safeParse(found?.entry)
  const { command, bash, url } = entry.data?.hooks?.[0] ?? entry.data ?? {}
  const line = command ?? (typeof bash === 'string' ? bash : undefined)
  const observes = observesIn(url ?? line ?? '')
  if (url !== undefined) return { by: 'http', url, observes }
  if (line !== undefined) return { by: 'command', command: line, observes }
  const fix = `\`warrant hook install --for ${host.name}\` adds it`
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

/** What the host would do. */
type HookEffect =
  | 'allow'
  | 'ask'
  | 'deny'
  | 'nothing'
  | 'nothing, not recorded'
  | 'runs, since the hook failed'

/** As long as the host would wait. */
const patienceMs = { enforcing: 30_000, observing: 10_000 }

async function effectOf(host: Host, handler: Handler, event: string): Promise<HookEffect> {
  if (handler.by === 'http') return overHttp(host, handler, event)
  const line = { program: handler.command, input: event, timeoutMs: patienceFor(handler) }
  const { code, stdout, stderr } = (await ended(line)) ?? { code: null, stdout: '', stderr: '' }
  if (code === 2 && host.answers.blocksBy !== 'json') return 'deny'
  if (code !== 0) return host.failing.closed ? 'deny' : 'runs, since the hook failed'
  const found = readAnswer(host, stdout, handler)
  return found === 'nothing' && stderr.includes('not recorded') ? 'nothing, not recorded' : found
}

/** What the host makes of what is printed; without a word of ours the call runs. */
function readAnswer(
  host: Host,
  stdout: string,
  { observes }: Pick<Handler, 'observes'>,
): HookEffect {
  const silent = observes ? 'nothing' : 'allow'
  if (stdout.trim() === '') return silent
  let word: unknown
  try {
    word = parseJson(stdout)
  } catch {
    return 'runs, since the hook failed'
  }
  for (const name of host.answers.wordAt) word = isMap(word) ? word[name] : undefined
  if (word === undefined) return silent
  return word === 'deny' || word === 'ask' ? word : 'allow'
}

async function overHttp(
  host: Host,
  handler: Extract<Handler, { by: 'http' }>,
  event: string,
): Promise<HookEffect> {
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
    if (response.ok) return readAnswer(host, await response.text(), handler)
    return observes ? 'nothing, not recorded' : 'deny'
  } catch {
    // With `onFailure` it blocks; a version without it lets the call run.
    return observes ? 'nothing, not recorded' : 'deny'
  }
}

function patienceFor({ observes }: Handler): number {
  return observes ? patienceMs.observing : patienceMs.enforcing
}
