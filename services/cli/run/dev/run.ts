// Runs all that one person needs on one machine, until Ctrl-C: the log, all stages, and the door
// over HTTP, on this machine's own address alone; each decision on a line as it comes; and at a
// terminal the keys and the page that answer.
import { resolve } from 'node:path'
import { Fault } from '#record/fault'
import { partsInRealm } from '#record/names'
import { hookKey, hookKeyFile } from '#judging/digest-key'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { judgingPool } from '#judging/judging-pool'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import type { Signer } from '#runtime/keys/keys'
import { isLoopback } from '#serving/loopback'
import type { Listen } from '#serving/listening'
import { createToken, revokeToken } from '#serving/token-file'
import { configuration } from '#wiring/config'
import { serveHttp } from '#http/serving'
import { allStages as stages } from '#workers/all-stages'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { hintsFor, shellWord, type Hints } from '#cli/terminal/hint'
import { toned, type Line } from '#cli/terminal/line'
import { shownPath } from '#cli/terminal/shown-path'
import { note, print } from '#cli/terminal/terminal'
import { usage } from '#cli/terminal/failure'
import { tokenFileFor } from '#cli/agents/tokens/run'
import { hookedAgent } from '#cli/agents/hook/log-notes'
import { upUntilStopped, type BegunServer } from '../up/serving.ts'
import { askingFor, toolWordsOf } from '../init/starter.ts'
import { answerKeys, type AnswerKeys } from './answer-keys.ts'
import { agentOver, devLogIn, devSigner, type DevLog, type DevLogOptions } from './dev-log.ts'
import { devPage } from './dev-page.ts'
import { liveLine } from './live-lines.ts'

interface DevOptions extends DevLogOptions {
  readonly http?: Listen
  readonly console?: Listen
}

const here = '127.0.0.1'
const httpPort = 7718
const consolePort = 7719

export async function dev(folder: string, options: DevOptions): Promise<number> {
  const { http = { host: here, port: httpPort } } = options
  const { console = { host: here, port: consolePort } } = options
  for (const each of [http, console]) refuseElsewhere(each)
  if (!options.stages) throw usage('dev runs all stages: another process is not to')
  const log = await devLogIn(folder, options)
  const opened = { ...options, log: log.file }
  return upUntilStopped(opened, {
    isOfOneLog: true,
    opening: { stages, level: 'warn' },
    begin: (_, runtime) => begun(runtime, { log, http, console, options: opened }),
  })
}

/** What answers without proof of who asks is for this machine alone. */
function refuseElsewhere({ host }: Listen): void {
  if (isLoopback(host)) return
  const what = `dev serves this machine alone, and not \`${host}\``
  throw usage(`${what}: for others there are \`warrant up http\` and \`warrant up console\``)
}

interface DevOn {
  readonly log: DevLog
  readonly http: Listen
  readonly console: Listen
  readonly options: DevOptions
}

async function begun(runtime: Runtime, of: DevOn): Promise<BegunServer> {
  const signer = await devSigner(runtime)
  const tokens = tokenFileFor(of.options)
  const server = await served(runtime, of.http, tokens)
  const login = await loginFor(runtime, tokens)
  const answering = signer === null ? null : await answeringFor(runtime, signer, of)
  const keys = answering?.keys ?? null
  const link = answering?.page.link() ?? null
  const isHooked = runtime.follower.state.catalog.principals.has(hookedAgent)
  await print(beginningLines({ ...of, url: server.url, login, isHooked, link }))
  const live = following(runtime, keys)
  for (const { address, review } of runtime.follower.state.intents.values()) {
    if (review !== null) await keys?.show(address)
  }
  return {
    ends: [runtime.workers],
    left: 'requests left open',
    async close(drainMs) {
      keys?.close()
      await Promise.all([server.close(drainMs), answering?.page.close(drainMs)])
      await live.stop()
      if (login !== null) await revokeToken(tokens, login.id, runtime.clock.now())
      note(`warrant: the log stays in ${shownPath(of.log.file)}; \`warrant dev\` goes on with it`)
    },
  }
}

/** What the person at this terminal answers with: its keys, and a page that only it leads to. */
async function answeringFor(runtime: Runtime, signer: Signer, { console, options }: DevOn) {
  const look = async () => (await import('../doctor/run.ts')).doctorBeside([runtime], options)
  const page = await devPage(runtime, { signer, listen: console, look })
  const onPage = (): void => void print([`  page   ${page.link()}`])
  return { page, keys: await answerKeys(runtime, { signer, input: process.stdin, onPage }) }
}

async function served(runtime: Runtime, listen: Listen, tokens: string) {
  const folders = shippedHookSeeds(packageRoot())
  const hooks = judgingPool({
    tables: await readHookTables(folders),
    folders,
    key: hookKey(hookKeyFile(configuration())),
    readable: [],
  })
  return serveHttp({ runtime, hooks, listen, tokens })
}

interface Login {
  readonly agent: string
  readonly id: string
  readonly token: string
}

/** Longer than a day no one tries things without a break. */
const loginMs = 24 * 60 * 60_000

/** Good until this process ends; null where no agent asks over HTTP. */
async function loginFor(runtime: Runtime, tokens: string): Promise<Login | null> {
  const agent = agentOver(runtime)
  if (agent === null) return null
  const now = runtime.clock.now()
  const made = { principal: agent, name: 'dev', now, expiresAt: now + loginMs }
  const { token, entry } = await createToken(tokens, made)
  return { agent, id: entry.id, token }
}

/** Prints what is decided from now on, in its order. */
function following(runtime: Runtime, keys: AnswerKeys | null) {
  const { follower, place } = runtime
  let last: Promise<void> = Promise.resolve()
  const shown = async (fact: Fact): Promise<void> => {
    const line = await liveLine(runtime, fact)
    if (line !== null) await print([line])
    const parts = partsInRealm(fact.name, place.realm)
    if (parts?.kind === 'review' && parts.address !== null) await keys?.show(parts.address)
  }
  const unlisten = follower.listen((fact, folded) => {
    if (folded.void !== null) return
    last = last.then(() => shown(fact)).catch((error: unknown) => failed(error))
  })
  return {
    async stop() {
      unlisten()
      await last
    },
  }
}

/** One line that cannot be shown ends nothing. */
function failed(error: unknown): void {
  if (!(error instanceof Fault)) throw error
  note(`warrant: ${error.message}`)
}

interface Beginning extends DevOn {
  readonly url: string
  readonly login: Login | null
  /** Whether it has what hooks need. */
  readonly isHooked: boolean
  /** To the page; null where no one is at a terminal, who could answer. */
  readonly link: string | null
}

function beginningLines(of: Beginning): readonly Line[] {
  const { log, url, login, isHooked, link } = of
  const { log: _, ...called } = of.options
  const hints = hintsFor(called, configuration())
  const rules = shownPath(log.seed)
  const by = login === null || !isHooked ? '' : ` --agent ${shellWord(login.agent)}`
  // A command finds the log from the folder where it is, and those above.
  const folder = resolve(log.home, '..')
  const there = folder === process.cwd() ? '' : `, in ${shownPath(folder)}`
  const tried = hints(`${askingFor(toolWordsOf(of.options.tool))}${by}`)
  return [
    ...(log.aside === null ? [] : [`the log of before is in ${shownPath(log.aside)}`]),
    toned('good', `${log.isNew ? 'A new log' : 'The log'} of dev, for you alone on this machine:`),
    `  log    ${shownPath(log.file)}`,
    `  rules  ${rules}, after each change \`${hints(`apply ${rules}`)}\``,
    `  HTTP   ${url}`,
    ...(link === null ? [] : [`  page   ${link}`]),
    '',
    `To paste${there}:`,
    ...pasteLines(hints, { url, login }),
    '',
    ...(log.isNew ? [`Try it from another terminal${there}:`, `  ${tried}`] : []),
    link !== null
      ? toned('strong', 'Each decision comes below. a approves, d declines, p shows a new link.')
      : toned('warn', 'Each decision comes below. No terminal is here, so no one can answer.'),
    'Ctrl-C ends it.',
    toned('dim', 'On one account there is no second person: what runs as you could answer as you.'),
    '',
  ]
}

function pasteLines(
  hints: Hints,
  { url, login }: Pick<Beginning, 'url' | 'login'>,
): readonly string[] {
  const agent = login?.agent ?? 'AGENT'
  const hook = `  hook   ${hints('init --for claude-code')}`
  const mcp = `  MCP    ${hints(`mcp --as ${agent} -- COMMAND`)}`
  const sdk = `  SDK    const warrant = await connect({ as: '${agent}' })`
  const over = `  HTTP   WARRANT_URL=${url} WARRANT_TOKEN=${login?.token ?? ''}`
  return [mcp, hook, sdk, ...(login === null ? [] : [over])]
}
