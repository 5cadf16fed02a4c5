// `hook test`: plays a coding agent against the hook that is installed, by the agent's published
// schema: what is allowed, asked and denied, and what happens where the server is gone, the event
// cannot be read, and the answer does not come. It shows what was proven, and what was not.
import { createServer } from 'node:net'
import { Fault } from '#core/kernel/fault'
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
  handlerIn,
  effectOf,
  pointedAt,
  settingsText,
  type Handler,
  type HookEffect,
} from './played-hook.ts'
import { settingsFile, wayOf, type SettingsPlace } from '../settings-place.ts'

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
  const file = settingsFile(options)
  const handler = handlerIn(await settingsText(file), host, file)
  if (options.live === true) await agreeToLive(options, handler)
  const rows: Played[] = []
  const play = async (
    name: string,
    event: string,
    { expected, at = handler }: { readonly expected: readonly HookEffect[]; readonly at?: Handler },
  ): Promise<void> => {
    const found = await effectOf(host, at, event)
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
async function agreeToLive({ for: host, yes }: PlayOptions, { observes }: Handler): Promise<void> {
  const { program, own } = drivenAgents[host]
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
