// Begins a log with its owner's key and a starter seed. It replaces nothing that is there.
import { configuration } from '#wiring/config'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { Fault } from '#record/fault'
import { quoted } from '#record/quote'
import { keyPlaces, listKeys, newKey, type KeyFile, type KeyPlaces } from '#runtime/keys/key-files'
import { formerName } from '#runtime/keys/keys'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import { findLog, isRemote, logFileDefault } from '#runtime/logs/log-url'
import { openRuntime } from '#wiring/open'
import { refuseOtherLog } from '#replay/eras/root-key'
import { seedFolder, type SeedReport } from '#authoring/seed'
import { seedFolderName } from '#authoring/seed-files'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import { ownerOf, type OwnerOptions } from './owner.ts'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { note, print, printJson } from '#cli/terminal/terminal'
import { keyAccess } from '#cli/terminal/signing'
import { schemaPlace } from '#cli/rules/plan/schema-place'
import { hintsFor, shellWord } from '#cli/terminal/hint'
import { jsonLines } from '#present/json-lines'
import { toned, type Line } from '#cli/terminal/line'
import type { SafetyClass } from '#schemas/rules/terms'
import { byName } from '#cli/rules/catalog/tools/safety-class'

// The seed that `init` writes: an agent, its owner, one tool and its safety class. Nothing has to
// be known for it; the folder's own page says how a tool comes to depend on what is known.

/** What the tool's name says: `send_email` is to `send` an `email`. */
interface ToolWords {
  readonly tool: string
  readonly action: string
  readonly object: string
  /** What it does, as a phrase. */
  readonly does: string
  readonly safetyClass: SafetyClass
  /** Why that class. */
  readonly why: string
}

export function toolWordsOf(tool: string): ToolWords {
  const words = tool
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const [action = 'use', ...rest] = words
  const object = rest.join('_')
  const isOwn = object !== '' && object !== action && !object.startsWith(action)
  const careful = { safetyClass: 'WRITE' as const, why: 'its name does not say what it does' }
  const guess = byName(tool) ?? careful
  const does = isOwn ? `${action} ${object.replaceAll('_', ' ')}` : words.join(' ')
  return { tool, action, object: isOwn ? object : `${action}_target`, does, ...guess }
}

export const starterAgent = 'my-agent'
const roles = ['writer']

/** What the agent would need for the tool as well; null where it has all. */
function missingRole({ safetyClass }: ToolWords): string | null {
  return safetyClass === 'DESTRUCTIVE' ? 'admin' : null
}

interface Owner {
  readonly id: string
  /** Null where the log binds a key that no file is to name. */
  readonly publicKey: string | null
}

export function starterCatalog({ tool, does, safetyClass }: ToolWords, owner: Owner): object {
  const { id, publicKey } = owner
  return {
    principals: [
      { id, roles: ['policy-admin'], ...(publicKey !== null && { keys: [publicKey] }) },
      { id: starterAgent, roles, owner: id, via: ['http'] },
    ],
    capabilities: [
      {
        id: tool,
        description: does === '' ? tool : does,
        safetyClass,
        argsSchema: { type: 'object' },
      },
    ],
  }
}

function starterReadme(words: ToolWords, owner: string, ask: string): string {
  const { tool, action, object, safetyClass, why } = words
  const concepts = JSON.stringify([action, object]).replace(',', ', ')
  const rule = '{ "name": "ask", "when": "true", "effect": "confirm", "question": "May it?" }'
  const role = missingRole(words)
  const first =
    role === null
      ? 'This is allowed:'
      : `A tool of class \`${safetyClass}\` needs the role \`${role}\`, which \`${starterAgent}\`
lacks, so this is denied, and the denial says how to give it:`
  return `# What ${starterAgent} may do

\`catalog.json\` says four things: the agent \`${starterAgent}\`, its owner \`${owner}\`, the tool
\`${tool}\`, and its safety class, \`${safetyClass}\` (${why}). Change the class if that is wrong:
\`READ\`, \`WRITE\` or \`DESTRUCTIVE\`. ${first}

    ${ask}

After each change, apply it with \`warrant apply\` and the path of this folder; \`warrant plan\`
shows what that would change. Cases that you write into \`tests/\` run with \`warrant test\`.

## Make it depend on what is known

Write \`"concepts": ${concepts}\` into the tool, apply, and ask again. It is denied, since no one
has said what \`${action}\` and \`${object}\` are, and the denial says what to write into
\`graph.json\`, in your own words. Apply that, and it is allowed again. Policies can stand on what
\`graph.json\` connects.

## Other rules

- **Ask people.** Write \`"conditions": [${rule}]\`
  into the tool, apply, ask again, and answer with \`warrant approve\`. \`when\` can look at the
  arguments.
- **Be strict about arguments.** \`argsSchema\` is JSON Schema; now any go. A tool without
  \`argsSchema\` takes no arguments at all.
- **Leave out the justification.** A tool of class \`WRITE\` or \`DESTRUCTIVE\` needs one of 15
  characters: without it you are asked for a reason. \`defaults\` in \`catalog.json\` sets this and
  every other built-in rule.
- **Check by code.** Name a \`callback\` in a policy, and export a function of that name from
  \`callbacks.ts\` beside \`graph.json\`.
- **Stop it.** \`warrant suspend ${starterAgent}\`.
- **Look back.** \`warrant log\`, \`warrant trace\`, \`warrant replay\`.
`
}

export interface InitOptions extends GlobalOptions, OwnerOptions {
  readonly tool: string
}

const toolCharactersMax = 64

export async function init(folder: string, options: InitOptions): Promise<number> {
  const { tool } = options
  refuseNoName(tool)
  const base = resolve(folder)
  const log = options.log === undefined ? join(base, logFileDefault) : fileOf(options.log)
  const seed = join(base, seedFolderName)
  refuseWhatIsThere(log, seed)
  refuseOtherLog({ log: null }, configuration().logId)
  const words = toolWordsOf(tool)
  const places = keyPlaces(null, configuration())
  const id = await ownerOf(options, places)
  const home = resolve(log, '..')
  await mkdir(home, { recursive: true })
  const key = await ownKey(places, id)
  // Facts and decisions are nothing to commit by accident.
  if (options.log === undefined) await writeFile(join(home, '.gitignore'), '*\n')
  const ask = askingFor(words)
  const hints = hintsFor(options, configuration())
  await writeStarter(seed, words, { id, publicKey: key.publicKey })
  const report = await seeded({ log, home, seed, realm: options.realm })
  warnOfOther(log, options)
  if (options.json === true) {
    await printJson({ log, seed, key: key.file, changes: report.changes })
  } else await print(linesFor({ id, log, seed, key, ask: hints(ask), base, words }))
  return exitCodes.yes
}

export function refuseNoName(tool: string): void {
  if (tool.trim() !== '' && tool.length <= toolCharactersMax && !/\p{Cc}/u.test(tool)) return
  throw usage(`--tool takes a name of at most ${toolCharactersMax} characters`)
}

/** The command that asks for the tool, without the program. */
export function askingFor(words: ToolWords): string {
  const { tool } = words
  return `ask ${tool === shellWord(tool) ? tool : shellWord(tool)} ${exampleOptions(words)}`
}

/** Writes a seed folder for one tool; without a key its owner signs by what the log binds. */
export async function writeStarter(seed: string, words: ToolWords, owner: Owner): Promise<void> {
  await mkdir(seed, { recursive: true })
  const graph = { $schema: schemaPlace(seed, 'graph'), primitives: [] }
  await writeFile(join(seed, 'graph.json'), `${jsonLines(graph)}\n`)
  const catalog = { $schema: schemaPlace(seed, 'catalog'), ...starterCatalog(words, owner) }
  await writeFile(join(seed, 'catalog.json'), `${jsonLines(catalog)}\n`)
  const readme = starterReadme(words, owner.id, `warrant ${askingFor(words)}`)
  await writeFile(join(seed, 'README.md'), readme)
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

async function seeded(where: {
  readonly log: string
  readonly home: string
  readonly seed: string
  readonly realm: string
}): Promise<SeedReport> {
  const { log, home, seed, realm } = where
  const runtime = await openRuntime({ log: { url: log, folder: home }, realm, stages: [] })
  try {
    return await seedFolder(runtime, seed, { keys: keyAccess(home) })
  } finally {
    await runtime.stop()
  }
}

function exampleOptions({ tool }: ToolWords): string {
  return tool === 'send_email'
    ? `--arg to=ann@example.org --justification ${shellWord('Ann asked for her invoice')}`
    : `--arg id=17 --justification ${shellWord('a customer asked for it')}`
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

function linesFor(made: {
  readonly id: string
  readonly log: string
  readonly seed: string
  readonly key: KeyFile
  readonly ask: string
  readonly base: string
  readonly words: ToolWords
}): readonly Line[] {
  const { id, log, seed, key, ask, base, words } = made
  const here = (path: string): string => relative(process.cwd(), path) || '.'
  const enter = base === process.cwd() ? [] : [`  cd ${shellWord(here(base))}`]
  return [
    toned('good', `A log, the key of ${quoted(id)}, and a seed to edit:`),
    `  ${here(log)}`,
    `  ${key.file}   (${keyNote(key)})`,
    `  ${here(seed)}/catalog.json, graph.json, README.md`,
    '',
    ...toolLines(words),
    '',
    ...enter,
    `  ${ask}`,
    '',
    toned('dim', `${here(seed)}/README.md has the next steps: what must be known, who is asked.`),
  ]
}

/** What the catalog says, and so what asking comes to. */
function toolLines(words: ToolWords): readonly Line[] {
  const { tool, safetyClass, why } = words
  const role = missingRole(words)
  const agent = quoted(starterAgent)
  const guess = `${quoted(tool)} is a ${safetyClass} tool: ${why}. It takes any arguments.`
  if (role === null) return [guess, `${agent}, whose owner you are, may use it. Now ask:`]
  const lacks = `${agent}, whose owner you are, needs the role ${quoted(role)} for that.`
  return [guess, lacks, 'Now ask. It will be denied, and the denial says how to give the role:']
}
