// Begins a log with its owner's key and a starter seed. It replaces nothing that is there.
import { configuration } from '#wiring/config'
import { existsSync } from 'node:fs'
import { mkdir, writeFile, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { Fault } from '#record/fault'
import { quoted } from '#record/quote'
import { keyPlaces, listKeys, newKey, type KeyFile, type KeyPlaces } from '#runtime/keys/key-files'
import { findPolicyAdmin, formerName, type Signer } from '#runtime/keys/keys'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import { findLog, isRemote, logFileDefault } from '#runtime/logs/log-url'
import { openRuntime } from '#wiring/open'
import { refuseOtherLog } from '#replay/eras/root-key'
import { seedFolder } from '#authoring/seed'
import { seedFolderName, readSeed, seedFileNames } from '#authoring/seed-files'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { shownPath } from '#cli/terminal/shown-path'
import { note, print, printJson } from '#cli/terminal/terminal'
import { keyAccess, demandAgreement, signerChoice } from '#cli/terminal/signing'
import { hintsFor, shellWord } from '#cli/terminal/hint'
import { toned, type Line } from '#cli/terminal/line'
import type { InitDoor, DoorPlace } from './doors/door.ts'
import { doorNamed } from './doors/doors.ts'
import { bindHookRules, lackingRules } from './hook-rules.ts'
import { ownerOf, type OwnerOptions } from './owner.ts'
import {
  askingFor,
  missingRole,
  refuseNoName,
  starterAgent,
  toolDefault,
  toolWordsOf,
  writeStarter,
  agentEntry,
  toolEntry,
  type Starter,
  type ToolWords,
} from './starter.ts'
import { plannedSeed } from '#authoring/plan/seed-plan'
import type { Runtime } from '#runtime/engine/runtime'
import { withRuntime } from '#cli/terminal/opening/opened'
import { writeTexts } from '#cli/terminal/opening/file'
import { catalogIn, writeCatalogFile, writtenIn } from '#cli/rules/catalog/catalog-in'
import { shownPlan } from '#cli/rules/plan/plan'
import { planLines } from '#cli/rules/plan/print'

interface InitOptions extends GlobalOptions, OwnerOptions, SignerOptions {
  readonly tool: string
  /** The way by which an agent is to ask. */
  readonly for?: string
  /** Take back what was set up for it. */
  readonly undo?: boolean
}

export async function init(folder: string, options: InitOptions): Promise<number> {
  refuseNoName(options.tool)
  const { for: name } = options
  if (name === undefined) {
    if (options.undo === true) throw usage('--undo goes with --for: it takes back what that made')
    return begun(placeFor(folder, options), usualStarter(options), options, null)
  }
  const place = placeFor(folder, options)
  if (options.log !== undefined || place.base !== process.cwd()) {
    throw usage('--for sets up the folder that one is in, with a log in it: go there first')
  }
  const door = doorNamed(name)
  if (options.undo === true) return undone(door, place)
  const starter = await door.starter(place.words)
  if (!existsSync(place.log)) return begun(place, starter, options, door)
  const { seed } = place
  const opened = { ...options, log: place.log }
  const isSigned = await grownLog(opened, { seed, starter, isHooked: door.isHooked })
  const lines = isSigned ? [toned('good', `${shownPath(seed)} is in the log:`)] : []
  return doorOpened(door, place, { lines, json: {} })
}

interface InitPlace extends DoorPlace {
  readonly seed: string
  readonly options: InitOptions
}

function placeFor(folder: string, options: InitOptions): InitPlace {
  const base = resolve(folder)
  const log = options.log === undefined ? join(base, logFileDefault) : fileOf(options.log)
  const seed = join(base, seedFolderName)
  return { base, log, seed, home: resolve(log, '..'), words: toolWordsOf(options.tool), options }
}

function usualStarter({ tool }: InitOptions): Starter {
  return { agent: starterAgent, words: toolWordsOf(tool) }
}

async function undone(door: InitDoor, place: InitPlace): Promise<number> {
  await print(await door.close(place))
  const left = 'the log, your key and what you may edit stay: a log forgets nothing'
  await print([toned('dim', left)])
  return exitCodes.yes
}

/** A log that was not there. */
async function begun(
  place: InitPlace,
  starter: Starter,
  options: InitOptions,
  door: InitDoor | null,
): Promise<number> {
  const { log, seed, home, base, words } = place
  refuseWhatIsThere(log, seed)
  refuseOtherLog({ log: null }, configuration().logId)
  const places = keyPlaces(null, configuration())
  const id = await ownerOf(options, places)
  await mkdir(home, { recursive: true })
  const key = await ownKey(places, id)
  // Facts and decisions are nothing to commit by accident.
  if (options.log === undefined) await writeFile(join(home, '.gitignore'), '*\n')
  await writeStarter(seed, starter, { id, publicKey: key.publicKey })
  const report = await seeded(place, door)
  warnOfOther(log, options)
  const json = { log, seed, key: key.file, changes: report.changes }
  const lines = beginningLines({ id, log, seed, key })
  if (door !== null) return doorOpened(door, place, { lines, json })
  const ask = hintsFor(options, configuration())(askingFor(words))
  if (options.json === true) await printJson(json)
  else await print([...lines, '', ...nextLines({ ask, base, seed, words })])
  return exitCodes.yes
}

/** Sets it up, and prints what was made and the next command. */
async function doorOpened(
  door: InitDoor,
  place: InitPlace,
  before: { readonly lines: readonly Line[]; readonly json: object },
): Promise<number> {
  const { options } = place
  if (options.json !== true) await print(before.lines)
  const { made, cautions, next } = await door.open(place)
  for (const line of cautions) note(`warrant: ${line}`)
  const hints = hintsFor(options, configuration())
  const steps = next.map((step) => ('shell' in step ? step.shell : hints(step.warrant)))
  const tool = options.tool === toolDefault ? '' : ` --tool ${shellWord(options.tool)}`
  const undo = hints(`init --for ${options.for ?? ''}${tool} --undo`)
  const texts = made.map((line) => (typeof line === 'string' ? line : line.text))
  if (options.json === true) await printJson({ ...before.json, made: texts, next: steps, undo })
  else {
    const head = steps.length === 1 ? 'Next:' : 'Next, the first in a terminal of its own:'
    const shown = steps.map((step) => `  ${step}`)
    const back = toned('dim', `Take it back: ${undo}`)
    await print([...made, '', head, ...shown, '', back])
  }
  return exitCodes.yes
}

/** One key for all the logs of a user: what it signs counts in one log alone. */
async function ownKey(places: KeyPlaces, id: string): Promise<KeyFile> {
  const keys = (await listKeys(places)).filter(({ isDev }) => !isDev)
  const named = (sought: string) => keys.find(({ name }) => name === sought)
  return named(id) ?? named(formerName) ?? newKey(places.home, id, null)
}

/** An address is refused: what is made here is a file, and an address may hold a password. */
function fileOf(given: string): string {
  const place = findLog(given, configuration())
  if (place.folder !== null && !isRemote(place)) return place.url
  throw usage('init makes a log in a file: one on servers is made by `warrant nats init`')
}

function refuseWhatIsThere(log: string, seed: string): void {
  const files = ['graph.json', 'catalog.json', 'README.md'].map((name) => join(seed, name))
  const there = [log, ...files].find((file) => existsSync(file))
  if (there === undefined) return
  const message = `\`${there}\` is there already: init replaces nothing, choose another folder`
  throw new Fault('already_there', message)
}

async function seeded({ log, home, seed, options }: InitPlace, door: InitDoor | null) {
  const { realm } = options
  const runtime = await openRuntime({ log: { url: log, folder: home }, realm, stages: [] })
  try {
    const keys = keyAccess(home)
    const report = await seedFolder(runtime, seed, { keys })
    if (door?.isHooked !== true) return report
    const { catalog } = runtime.follower.state
    await bindHookRules(runtime, await findPolicyAdmin({ keys, catalog }))
    return report
  } finally {
    await runtime.stop()
  }
}

function warnOfOther(log: string, options: GlobalOptions): void {
  const other = configuration().log
  if (options.log !== undefined || other === undefined || resolve(other) === log) return
  const shown = withoutSecrets(other)
  note(`warrant: WARRANT_LOG names another log, \`${shown}\`: unset it to use the new one`)
}

function keyNote({ isSealed }: KeyFile): string {
  if (isSealed) return 'your key, protected by a passphrase'
  return 'your key, without a passphrase: any program that you run can sign with it'
}

function beginningLines(made: {
  readonly id: string
  readonly log: string
  readonly seed: string
  readonly key: KeyFile
}): readonly Line[] {
  const { id, log, seed, key } = made
  return [
    toned('good', `A log, the key of ${quoted(id)}, and a seed to edit:`),
    `  ${here(log)}`,
    `  ${key.file}   (${keyNote(key)})`,
    `  ${here(seed)}/catalog.json, graph.json, README.md`,
  ]
}

const here = (path: string): string => relative(process.cwd(), path) || '.'

function nextLines(made: {
  readonly ask: string
  readonly base: string
  readonly seed: string
  readonly words: ToolWords
}): readonly Line[] {
  const { ask, base, seed, words } = made
  return [
    ...toolLines(words),
    '',
    ...(base === process.cwd() ? [] : [`  cd ${shellWord(here(base))}`]),
    `  ${ask}`,
    '',
    toned('dim', `${here(seed)}/README.md has the next steps: what must be known, who is asked.`),
  ]
}

/** What the catalog says, and so what asking comes to. */
function toolLines(words: ToolWords): readonly Line[] {
  const { tool, safetyClass, why } = words
  const role = missingRole(words)
  const agent = quoted(starterAgent.id)
  const guess = `${quoted(tool)} is a ${safetyClass} tool: ${why}. It takes any arguments.`
  if (role === null) return [guess, `${agent}, whose owner you are, may use it. Now ask:`]
  const lacks = `${agent}, whose owner you are, needs the role ${quoted(role)} for that.`
  return [guess, lacks, 'Now ask. It will be denied, and the denial says how to give the role:']
}

// A log that is there gets what a door needs of it: entries in the folder that its people edit, and
// the shipped rules. All of it is shown first, and signed by a policy admin of the log.

interface GrowthNeeded {
  /** The folder that people edit. */
  readonly seed: string
  readonly starter: Starter
  readonly isHooked: boolean
}

/** Whether anything was signed: nothing is where all of it is there. */
function grownLog(options: GlobalOptions & SignerOptions, needed: GrowthNeeded): Promise<boolean> {
  const { seed, isHooked } = needed
  return withRuntime(options, {}, async (runtime) => {
    const author = await findPolicyAdmin(signerChoice(runtime, options))
    const file = join(seed, seedFileNames.catalog)
    const before = await readFile(file, 'utf8').catch(() => '')
    await addEntries(needed, author.id)
    try {
      const rules = isHooked ? await lackingRules(runtime) : []
      const lines = [...rulesLines(rules), ...(await folderLines(runtime, seed, author))]
      if (lines.length === 0) return false
      await demandAgreement(options, { lines, as: author.id })
      if (isHooked) await bindHookRules(runtime, author)
      await seedFolder(runtime, seed, { author })
      return true
    } catch (error) {
      // What is not signed is not left as if it counted.
      await writeTexts(file, [before])
      throw error
    }
  })
}

/** What is there of that name stays as it is. */
async function addEntries({ seed, starter }: GrowthNeeded, owner: string): Promise<void> {
  const { agent, words } = starter
  const { path, written, file } = await catalogIn(seed)
  const has = (list: readonly { readonly id: string }[], id: string): boolean =>
    list.some((one) => one.id === id)
  const principals = has(file.principals, agent.id) ? [] : [agentEntry(agent, owner)]
  const isToolThere = words === null || has(file.capabilities, words.tool)
  const capabilities = isToolThere ? [] : [toolEntry(words)]
  if (principals.length + capabilities.length === 0) return
  await writeCatalogFile(path, {
    ...written,
    principals: [...writtenIn(written, 'principals'), ...principals],
    capabilities: [...writtenIn(written, 'capabilities'), ...capabilities],
  })
}

type Rules = Awaited<ReturnType<typeof lackingRules>>

function rulesLines(rules: Rules): readonly Line[] {
  const tools = rules.flatMap(({ catalog }) => catalog.capabilities.map(({ id }) => quoted(id)))
  const settings = rules.flatMap((one) => [...one.settings]).filter((name) => name === 'defaults')
  return [
    ...(tools.length === 0 ? [] : [`the shipped rules of coding agents: ${tools.join(', ')}`]),
    ...settings.map((name) =>
      toned('warn', `  with \`${name}\` for all tools: what only writes needs no reason given`),
    ),
  ]
}

async function folderLines(
  runtime: Runtime,
  seed: string,
  author: Signer,
): Promise<readonly Line[]> {
  const files = await readSeed(seed)
  const planned = plannedSeed(runtime.follower.state, files, { author, prune: false })
  if (planned.sets.length === 0) return []
  return planLines(await shownPlan(runtime, files, planned, { what: seed, last: 0 }))
}
