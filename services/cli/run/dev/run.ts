// Runs all that one person needs on one machine, until Ctrl-C: the log, all stages, and the door
// over HTTP, on this machine's own address alone; each decision on a line as it comes; and at a
// terminal the keys and the page that answer.
import { resolve, join } from 'node:path'
import { Fault, assert } from '#record/fault'
import { partsInRealm } from '#record/names'
import { hookKey, hookKeyFile } from '#judging/digest-key'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { judgingPool } from '#judging/judging-pool'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import { findSigner, keysFor, type Signer } from '#runtime/keys/keys'
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
import {
  askingFor,
  toolWordsOf,
  agentEntry,
  refuseNoName,
  starterAgent,
  writeStarter,
} from '../init/starter.ts'
import { answerKeys, liveLine, type AnswerKeys } from './answer-keys.ts'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { change } from '#authoring/change'
import { madeLink } from '#serving/people/one-time-link'
import { pagesOf } from '#console/pages'
import { serveConsole } from '#console/serving'
import type { LookAround } from '#console/operating/findings-route'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { seedFolder } from '#authoring/seed'
import { seedFileNames, seedFolderName } from '#authoring/seed-files'
import { keyIdOf } from '#record/signature'
import { soundBeginningOf } from '#replay/eras/beginning'
import { newestRules } from '#rules/catalog/rules-version'
import { policyAdminRole } from '#rules/catalog/duties'
import { keyPlaces, newKey } from '#runtime/keys/key-files'
import { logFileDefault, openLog } from '#runtime/logs/log-url'
import { Principal, type CatalogOperation } from '#schemas/catalog'
import { evolve } from '#state/fold/evolve'
import { openRuntime } from '#wiring/open'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { keyAccess } from '#cli/terminal/signing'
import { ownerOf, type OwnerOptions } from '../init/owner.ts'
import { bindHookRules, hookedStarter } from '../init/hook-rules.ts'

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

// The console for the one person of `warrant dev`. What lets them in and what signs for them stand
// in the fragment of a link that only the terminal shows: browsers send that to no server, and it
// is written to no file. The key of the page is drawn at each start, and counts until the end.

interface DevPage {
  /** A link that lets its person in once, for a while. */
  link(): string
  close(drainMs: number): Promise<void>
}

const linkMs = 30 * 60_000

export async function devPage(
  runtime: Runtime,
  { signer, listen, look }: { readonly signer: Signer; readonly listen: Listen; look: LookAround },
): Promise<DevPage> {
  const { d: seed, x: point } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  assert(seed !== undefined && point !== undefined, 'such a key has two halves')
  const publicKey = `ed25519:${point}`
  const files = await pagesOf()
  const server = await serveConsole({ runtimes: [runtime], files, listen, look })
  await bindKeys(runtime, signer, (keys) => [...keys, publicKey])
  return {
    link() {
      const madeAt = runtime.clock.now()
      const secret = madeLink({
        for: 'sign_in',
        person: signer.id,
        by: signer.id,
        origin: new URL(server.url).origin,
        madeAt,
        until: madeAt + linkMs,
        log: runtime.follower.state.log,
        privateKey: signer.privateKey,
      })
      return `${server.url}/#dev=${secret}/${seed}/${point}`
    },
    async close(drainMs) {
      await server.close(drainMs)
      await bindKeys(runtime, signer, (keys) => keys.filter((key) => key !== publicKey))
    },
  }
}

/** Signed by the key that began the log. */
async function bindKeys(
  runtime: Runtime,
  signer: Signer,
  keysOf: (keys: readonly string[]) => string[],
): Promise<void> {
  const kind = 'catalog' as const
  await change(
    runtime,
    {
      kind,
      operations: ({ principals }) => {
        const entry = principals.get(signer.id)
        assert(entry !== undefined, 'who signs is in the catalog')
        return [
          { op: 'put', collection: 'principals', entry: { ...entry, keys: keysOf(entry.keys) } },
        ]
      },
    },
    signer,
    { note: 'the page of warrant dev' },
  )
}

// The log of `warrant dev`: how one begins, which ones are opened, and how one makes way for the
// next. Its catalog says what it is from the first change set on, and takes that back never.

interface DevLogOptions extends GlobalOptions, OwnerOptions {
  readonly tool: string
  readonly fresh?: boolean
  /** Whether a new log has what hooks of coding agents need. */
  readonly hooks?: boolean
}

interface DevLog {
  readonly file: string
  /** The folder that it lies in. */
  readonly home: string
  /** What people edit. */
  readonly seed: string
  readonly isNew: boolean
  /** Where the one of before lies now; null where it was left in its place. */
  readonly aside: string | null
}

/** The log of that folder, which is begun where none is there. */
async function devLogIn(folder: string, options: DevLogOptions): Promise<DevLog> {
  if (options.log !== undefined) throw usage('dev takes a folder, and no --log: its log lies in it')
  const base = resolve(folder)
  const file = join(base, logFileDefault)
  const places = { file, home: resolve(file, '..'), seed: join(base, seedFolderName) }
  const isThere = existsSync(file)
  if (isThere) await demandDev(places, options)
  const isKept = isThere && options.fresh !== true
  if (isKept && options.hooks === true) {
    throw usage('--hooks is for a new log, since its defaults are for all tools: give --fresh too')
  }
  if (isKept) return { ...places, isNew: false, aside: null }
  const aside = isThere ? await putAside(places.home) : null
  await begin(places, options)
  return { ...places, isNew: true, aside }
}

/** Throws a Fault for a log that `dev` did not begin: with another, more is at stake. */
async function demandDev(
  { file, home }: Pick<DevLog, 'file' | 'home'>,
  { realm }: GlobalOptions,
): Promise<void> {
  const { log } = await openLog({ url: file, folder: home }, realm, { reads: true })
  try {
    const { state } = await soundBeginningOf(log, { realm }, null)
    for await (const fact of log.read({}, [`${realm}.1.catalog.*`])) {
      if (state.root !== null) break
      evolve(state, fact)
    }
    // A policy admin could write so later into any log.
    if (!state.catalog.dev) throw notDev(file)
  } finally {
    await log.close()
  }
}

function notDev(file: string): Fault {
  const what = `\`${file}\` was not begun by \`warrant dev\`, which opens no other`
  return new Fault('already_there', `${what}: choose another folder, or use \`warrant up\``)
}

/** All that lies beside it goes along. */
async function putAside(home: string): Promise<string> {
  const at = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  const aside = `${home}.before-${at}-${randomBytes(2).toString('hex')}`
  await rename(home, aside)
  return aside
}

async function begin(
  { file, home, seed }: Pick<DevLog, 'file' | 'home' | 'seed'>,
  options: DevLogOptions,
): Promise<void> {
  refuseNoName(options.tool)
  const places = keyPlaces(null, configuration())
  const id = await ownerOf(options, places)
  await mkdir(home, { recursive: true })
  await writeFile(join(home, '.gitignore'), '*\n')
  const name = `dev-${randomBytes(4).toString('hex')}`
  const { publicKey, text: privateKey } = await newKey(places.home, name, null, true)
  if (!existsSync(join(seed, seedFileNames.catalog))) {
    const starter = { agent: starterAgent, words: toolWordsOf(options.tool) }
    await writeStarter(seed, starter, { id, publicKey: null })
  }
  const { realm } = options
  const runtime = await openRuntime({ log: { url: file, folder: home }, realm, stages: [] })
  try {
    const author = { id, publicKey, privateKey }
    await marked(runtime, author)
    await seedFolder(runtime, seed, { author })
    if (options.hooks === true) await withHooks(runtime, author)
  } finally {
    await runtime.stop()
  }
}

const bare = { attributes: {}, suspended: false } as const

/** The first change set: who may change it, by which rules, and what kind of log it is. */
async function marked(runtime: Runtime, author: Signer): Promise<void> {
  const { id, publicKey } = author
  const entry: Principal = { id, roles: [policyAdminRole], keys: [publicKey], ...bare }
  const operations: CatalogOperation[] = [
    { op: 'put', collection: 'principals', entry },
    { op: 'set', key: 'rules', value: newestRules },
    { op: 'set', key: 'dev', value: true },
  ]
  await change(runtime, { kind: 'catalog', operations }, author)
}

/** The shipped rules for coding agents, and one who asks by hooks. */
async function withHooks(runtime: Runtime, author: Signer): Promise<void> {
  await bindHookRules(runtime, author)
  const entry = Principal.parse(agentEntry(await hookedStarter(), author.id))
  const operations: CatalogOperation[] = [{ op: 'put', collection: 'principals', entry }]
  await change(runtime, { kind: 'catalog', operations }, author)
}

/** An agent of the log that asks over HTTP; null where its folder has none. */
function agentOver({ follower }: Runtime): string | null {
  const { principals } = follower.state.catalog
  const ours = [...principals.values()].filter(
    ({ id, via = [] }) => id !== hookedAgent && via.includes('http'),
  )
  return (ours.find(({ id }) => id === starterAgent.id) ?? ours[0])?.id ?? null
}

/**
 * Who answers at this terminal, by the key that began the log; null where no one sits here, since
 * then no key is read. Throws a Fault for a log that no key of `dev` began.
 */
async function devSigner({ follower, folder }: Runtime): Promise<Signer | null> {
  const { catalog, root } = follower.state
  const keys = keyAccess(folder)
  if (keys.isAtTerminal?.() !== true) return null
  const own = (await keysFor({ keys, catalog })).find(({ publicKey, isDev }) => {
    return isDev && keyIdOf(publicKey) === root
  })
  if (own === undefined) {
    const what = 'the key that began this log is not among yours, or was made for other logs'
    throw new Fault('key_missing', `${what}: \`warrant dev --fresh\` begins another`)
  }
  return findSigner({ keys, key: own.file, catalog })
}
