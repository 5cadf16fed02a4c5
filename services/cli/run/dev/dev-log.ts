// The log of `warrant dev`: how one begins, which ones are opened, and how one makes way for the
// next. Its catalog says what it is from the first change set on, and takes that back never.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { change } from '#authoring/change'
import { seedFolder } from '#authoring/seed'
import { seedFileNames, seedFolderName } from '#authoring/seed-files'
import { Fault } from '#record/fault'
import { keyIdOf } from '#record/signature'
import { soundBeginningOf } from '#replay/eras/beginning'
import { newestRules } from '#rules/catalog/rules-version'
import { policyAdminRole } from '#rules/catalog/duties'
import { keyPlaces, newKey } from '#runtime/keys/key-files'
import { findSigner, keysFor, type Signer } from '#runtime/keys/keys'
import { logFileDefault, openLog } from '#runtime/logs/log-url'
import type { Runtime } from '#runtime/engine/runtime'
import { Principal, type CatalogOperation } from '#schemas/catalog'
import { evolve } from '#state/fold/evolve'
import { configuration } from '#wiring/config'
import { openRuntime } from '#wiring/open'
import { hookedAgent } from '#cli/agents/hook/log-notes'
import { usage } from '#cli/terminal/failure'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { keyAccess } from '#cli/terminal/signing'
import { ownerOf, type OwnerOptions } from '../init/owner.ts'
import { bindHookRules, hookedStarter } from '../init/hook-rules.ts'
import {
  agentEntry,
  refuseNoName,
  starterAgent,
  toolWordsOf,
  writeStarter,
} from '../init/starter.ts'

export interface DevLogOptions extends GlobalOptions, OwnerOptions {
  readonly tool: string
  readonly fresh?: boolean
  /** Whether a new log has what hooks of coding agents need. */
  readonly hooks?: boolean
}

export interface DevLog {
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
export async function devLogIn(folder: string, options: DevLogOptions): Promise<DevLog> {
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
export function agentOver({ follower }: Runtime): string | null {
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
export async function devSigner({ follower, folder }: Runtime): Promise<Signer | null> {
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
