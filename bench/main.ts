// Runs all benches, or those that are named, and prints what they found: tables for people, or one
// JSON line a bench for programs. Each is a ratio within one run; nothing here judges a commit.
import { availableParallelism, cpus } from 'node:os'
import { systemTimer } from '#adapters/system/clock'
import { timedOut, withTimeout } from '#runtime/engine/timeout'
import { tableOf, type Report } from './figures.ts'
import { benchCallbacks } from './pure/callbacks.ts'
import { benchConditions } from './pure/conditions.ts'
import { benchDearest } from './pure/dearest.ts'
import { benchAction } from './embedded/action.ts'
import { benchFairness } from './embedded/fairness.ts'
import { benchFold, benchFoldStart } from './pure/fold.ts'
import { benchLatency } from './embedded/latency.ts'
import { benchMemory } from './pure/memory.ts'
import { benchGround, benchJudge, benchLog, benchMessages } from './parts.ts'
import { benchRedact } from './pure/redact.ts'
import { benchPeople } from './embedded/people.ts'
import { benchOpenIntents } from './pure/open-intents.ts'
import { benchAuthzen } from './doors/authzen.ts'
import { benchGateway } from './embedded/gateway.ts'
import { benchMcp } from './doors/mcp.ts'
import { benchStalls } from './doors/stalls.ts'
import { benchOverHttp } from './doors/over-http.ts'
import { benchRouting } from './pure/routing.ts'
import { benchTokens } from './pure/tokens.ts'
import { benchReplay } from './embedded/replay.ts'
import { benchVerdicts } from './embedded/verdicts.ts'
import { benchWhatIf } from './embedded/whatif.ts'
import { benchHooks } from './offline/hooks.ts'
import { benchRedaction } from './offline/redaction.ts'
import { benchStart } from './offline/start.ts'
import { benchShell } from './offline/shell.ts'
import { benchVerify } from './offline/verify.ts'
import { benchWork } from './offline/work.ts'

const args = process.argv.slice(2)
/** What `shell` reads its commands from: `--file PATH`. */
const file = args.includes('--file') ? (args[args.indexOf('--file') + 1] ?? null) : null
/** Where `redact` counts: `--corpus FOLDER`, as often as there are folders. */
const corpora = args.filter((_, at) => args[at - 1] === '--corpus')

const million = 1_000_000
const few = 200_000
/** Longer than any bench takes on a slow machine: one that hangs reports it. */
const minutesMax = { all: 5, named: 60 }

const benches: ReadonlyMap<string, (named: boolean) => Promise<Report>> = new Map([
  ['log', benchLog],
  ['verdicts', benchVerdicts],
  ['latency', benchLatency],
  ['action', benchAction],
  ['ground', benchGround],
  ['judge', benchJudge],
  ['messages', benchMessages],
  ['routing', benchRouting],
  ['replay', benchReplay],
  ['conditions', benchConditions],
  ['tokens', benchTokens],
  ['gateway', benchGateway],
  ['people', benchPeople],
  ['start', benchStart],
  ['hooks', benchHooks],
  ['stalls', benchStalls],
  ['authzen', benchAuthzen],
  ['mcp', benchMcp],
  ['http', benchOverHttp],
  ['whatif', benchWhatIf],
  ['callbacks', benchCallbacks],
  ['fairness', benchFairness],
  ['dearest', benchDearest],
  ['open-intents', benchOpenIntents],
  // Texts of 16 MB take minutes: only when they are asked for by name.
  ['redact-speed', (named: boolean) => benchRedact(named)],
  ['redact', () => benchRedaction(corpora)],
  ['shell', () => benchShell(file)],
  // Texts of 1 MB take minutes: only when they are asked for by name.
  ['work', (named: boolean) => benchWork(named)],
  ['verify', benchVerify],
  // A million takes minutes: only when it is asked for by name.
  ['memory', (named: boolean) => benchMemory(named ? million : few)],
  ['fold', (named: boolean) => benchFold(named ? million : few)],
  ['fold-start', (named: boolean) => benchFoldStart(named ? 2 * million : few)],
])

/** These start servers, so they are loaded only where they can. */
const onNats: ReadonlyMap<string, () => Promise<Report>> = new Map([
  ['nats', async () => (await import('./nats/nats.ts')).benchNats()],
  ['nats-latency', async () => (await import('./nats/latency.ts')).benchNatsLatency()],
  ['nats-scale', async () => (await import('./nats/scale.ts')).benchNatsScale()],
  ['nats-cells', async () => (await import('./nats/cells.ts')).benchNatsCells()],
  ['nats-accounts', async () => (await import('./nats/accounts.ts')).benchNatsAccounts()],
  ['nats-appends', async () => (await import('./nats/appends.ts')).benchNatsAppends()],
  ['nats-flood', async () => (await import('./nats/flood.ts')).benchNatsFlood()],
  ['nats-replay', async () => (await import('./nats/replay.ts')).benchNatsReplay()],
  ['nats-growth', async () => (await import('./nats/growth.ts')).benchNatsGrowth(2 * million)],
])
const onNeo4j: ReadonlyMap<string, () => Promise<Report>> = new Map([
  ['graph-view', async () => (await import('./pure/graph-view.ts')).benchGraphView()],
  ['projection', async () => (await import('./neo4j/projection.ts')).benchProjection()],
])
const inBrowser: ReadonlyMap<string, () => Promise<Report>> = new Map([
  ['console', async () => (await import('./console/console.ts')).benchConsole()],
])
/** These take minutes: only when they are asked for by name. */
const onlyNamed: ReadonlySet<string> = new Set(['nats-cells', 'nats-growth', 'projection'])

const all = new Map([...benches, ...onNats, ...onNeo4j, ...inBrowser])

const json = args.includes('--json')
const takesValue = (arg = ''): boolean => arg === '--file' || arg === '--corpus'
const names = args.filter((arg, at) => !arg.startsWith('--') && !takesValue(args[at - 1]))
const asksHelp = args.some((arg) => arg === '--help' || arg === '-h')
const unknown = names.filter((name) => !all.has(name))
if (unknown.length > 0) {
  process.stderr.write(`no bench \`${unknown.join(' ')}\`: take ${[...all.keys()].join(', ')}\n`)
  process.exitCode = 2
} else if (asksHelp) {
  const named = ['All, or those that are named:', ...all.keys()].join('\n  ')
  process.stdout.write(
    `npm run bench -- [NAME …] [--json] [--file PATH] [--corpus FOLDER]\n\n${named}\n`,
  )
} else await runAll()

async function runAll(): Promise<void> {
  // Ends the process by the front door, so that folders and children go with it.
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  if (!json) process.stdout.write(`${machine()}\n\n`)
  for (const [name, bench] of all) {
    const named = names.includes(name)
    if (!named && (names.length > 0 || onlyNamed.has(name))) continue
    if (onNats.has(name) && !(await canStartNats())) {
      process.stderr.write(`\`${name}\` is left out: it needs a nats-server\n`)
      continue
    }
    if (onNeo4j.has(name) && !(await canStartNeo4j())) {
      process.stderr.write(`\`${name}\` is left out: it needs Neo4j\n`)
      continue
    }
    if (inBrowser.has(name) && !(await hasBrowser())) {
      process.stderr.write(`\`${name}\` is left out: it needs a Chromium\n`)
      continue
    }
    const start = performance.now()
    const report = await inTime(bench(named), named ? minutesMax.named : minutesMax.all, name)
    print(report, (performance.now() - start) / 1_000)
  }
  process.exit()
}

/** By the tests' own choice of a server. */
async function canStartNats(): Promise<boolean> {
  return (await import('../test/support/servers/nats-server.ts')).canStartNats
}

async function canStartNeo4j(): Promise<boolean> {
  return (await import('../test/support/servers/neo4j-server.ts')).canStartNeo4j
}

async function hasBrowser(): Promise<boolean> {
  return (await import('../test/support/browser/chromium.ts')).hasBrowser
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  return `${availableParallelism()} cores (${model}), Node ${process.versions.node}`
}

async function inTime<T>(work: Promise<T>, minutes: number, name: string): Promise<T> {
  const ending = await withTimeout(systemTimer, minutes * 60_000, work)
  if (ending !== timedOut) return ending
  throw new Error(`\`${name}\` takes over ${minutes} minutes`)
}

function print(report: Report, seconds: number): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...report, seconds })}\n`)
    return
  }
  const targets = report.targets.map(({ claim, met, figures }) => {
    return `  ${met ? 'met    ' : 'not met'}  ${claim}: ${figures}`
  })
  const notes = [...report.notes, `took ${seconds.toFixed(0)} s`].map((note) => `  ${note}`)
  const lines = [report.title, tableOf(report), ...notes, ...targets, '']
  process.stdout.write(`${lines.join('\n')}\n`)
}
