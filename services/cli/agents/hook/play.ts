// `hook test`: plays a coding agent against the hook that is installed, by the agent's published
// schema: what is allowed, asked and denied, and what happens where the server is gone, the event
// cannot be read, and the answer does not come. It shows what was proven, and what was not.
import { playedSession } from '#shell/hooks/hook-event'
import type { Host } from '#shell/hooks/hosts/host'
import { Fault } from '#record/fault'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { personHere } from '#cli/terminal/person'
import { tableLines } from '#cli/terminal/table'
import { print, printJson } from '#cli/terminal/terminal'
import { proveLive, type HookedServer, type LiveFinding } from './live.ts'
import {
  handlerIn,
  effectOf,
  pointedAt,
  settingsText,
  type Handler,
  type HookEffect,
} from './played-hook.ts'
import { obstaclesTo, settingsFile, wayOf, type SettingsPlace } from './settings-place.ts'
import { deadServer } from './stand-ins.ts'

export interface PlayOptions extends GlobalOptions, SettingsPlace {
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
