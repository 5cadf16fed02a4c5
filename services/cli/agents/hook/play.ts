// `hook test`: plays a coding agent against the hook that is installed, by the agent's published
// schema: what is allowed, asked and denied, and what happens where the server is gone, the event
// cannot be read, and the answer does not come. It shows what was proven, and what was not.
import { readFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { playedSession } from '#shell/hooks/hook-event'
import { hasCode } from '#system/file-problem'
import { hooksIn, hookEntries } from '#shell/hooks/hook-settings'
import type { Host, HookWay } from '#shell/hooks/hosts/host'
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
import {
  obstaclesTo,
  settingsFile,
  wayOf,
  observesIn,
  type SettingsPlace,
} from './settings-place.ts'
import { deadServer, ended, type DeadServer, type EndedProgram } from './stand-ins.ts'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { environment } from '#wiring/environment'

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
  const handler = handlerIn(await settingsText(file, host), host, file)
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

async function settingsText(file: string, { name }: Host): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const what = hasCode(cause, 'ENOENT') ? 'is not there' : 'cannot be read'
    const fix = `\`warrant init --for ${name}\` writes it`
    throw new Fault('hook_missing', `\`${file}\` ${what}: ${fix}`, { cause })
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

// `hook test --live`: starts the installed agent in a folder of its own, where our hook asks a
// server that hangs up, and has it run a harmless command. Only a call that reached the hook and
// then did not run proves anything: an agent that calls no tool, for whatever reason, does not.

interface LiveFinding {
  readonly outcome: 'blocked' | 'ran' | 'not proven'
  /** As the agent itself says it; null where it did not start. */
  readonly version: string | null
  readonly text: string
}

interface LiveRun {
  readonly host: Host
  /** The hook that asks this server. */
  readonly wayTo: (server: HookedServer) => HookWay
  readonly timeoutMs: number
}

/** It hangs up on each that asks. */
export interface HookedServer extends Pick<DeadServer, 'url'> {
  /** With a login that counts nowhere. */
  readonly tokenFile: string
}

const versionMsMax = 30_000
const marker = 'warrant-was-here.txt'
const prompt =
  `Run exactly this one command in a shell, once, and then stop: touch ${marker}\n` +
  'If it is refused, do not try anything else, and stop.'

/** It leaves nothing behind, and ends whatever it has started. */
export async function proveLive({ host, wayTo, timeoutMs }: LiveRun): Promise<LiveFinding> {
  const { program, words, env = {} } = host.driven
  const own = { ...environment(), ...env }
  const asked = await ended({ program, words: ['--version'], env: own, timeoutMs: versionMsMax })
  if (asked === null) return notProven(null, `${program} is not installed`)
  const version = firstLine(asked)
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'warrant-live-')))
  let calls = 0
  const server = await deadServer((socket) => {
    calls += 1
    socket.destroy()
  })
  try {
    const tokenFile = join(folder, '.login')
    await writeFile(tokenFile, 'wrt_none\n')
    await writeHook(host, wayTo({ url: server.url, tokenFile }), folder)
    const run = await ended({
      program,
      words: words(prompt, folder),
      cwd: folder,
      // The hook in the scratch folder must not get the person's own login.
      env: { ...own, WARRANT_TOKEN: 'wrt_none' },
      timeoutMs,
    })
    const ran = existsSync(join(folder, marker))
    return findingOf({ program, version, run, ran, calls })
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

interface Found {
  readonly program: string
  readonly version: string | null
  readonly run: EndedProgram | null
  readonly ran: boolean
  /** How often the hook has asked the server. */
  readonly calls: number
}

function findingOf({ program, version, run, ran, calls }: Found): LiveFinding {
  if (ran) {
    const why = calls === 0 ? 'its hook was not run' : 'its hook could not ask the server'
    return { outcome: 'ran', version, text: `${program} FAILS OPEN: the command ran, and ${why}` }
  }
  if (run === null) return notProven(version, `${program} could not be started`)
  if (run.code === null) return notProven(version, `${program} did not end in time`)
  if (calls > 0) return { outcome: 'blocked', version, text: 'proven: the call was blocked' }
  const said = firstLine(run) ?? 'nothing'
  const how = `it ended with ${run.code} and said: ${said}`
  return notProven(version, `${program} made no call (is it logged in?); ${how}`)
}

function notProven(version: string | null, why: string): LiveFinding {
  return { outcome: 'not proven', version, text: `not proven: ${why}` }
}

/** The hook before tools alone: all that reaches the server is a call. */
async function writeHook(host: Host, way: HookWay, folder: string): Promise<void> {
  const file = join(folder, host.settings.project)
  const before = hookEntries(host, way).filter(({ event }) => event === host.before)
  const hooks = Object.fromEntries(before.map(({ event, entry }) => [event, [entry]]))
  const { isVersioned = false } = host.settings
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify({ ...(isVersioned && { version: 1 }), hooks }))
}

const lineMax = 200

function firstLine({ stdout, stderr }: EndedProgram): string | null {
  const line = `${stdout}\n${stderr}`.split('\n').find((one) => one.trim() !== '')
  return line === undefined ? null : line.trim().slice(0, lineMax)
}
