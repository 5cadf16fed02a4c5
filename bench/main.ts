// Runs all benches, or those that are named, and prints what they found: a table for people, or
// one JSON line a figure for programs. Each figure is a median of one run; nothing here judges a
// commit.
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { inJson, inText, isQuick, type Bench } from './harness.ts'

const benches: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  log: () => import('./embedded/log.ts'),
  verdicts: () => import('./embedded/verdicts.ts'),
  allocations: () => import('./embedded/allocations.ts'),
  latency: () => import('./embedded/latency.ts'),
  fairness: () => import('./embedded/fairness.ts'),
  eras: () => import('./embedded/eras.ts'),
  action: () => import('./embedded/action.ts'),
  'call-allocations': () => import('./embedded/call-allocations.ts'),
  replay: () => import('./embedded/replay.ts'),
  callbacks: () => import('./embedded/callbacks.ts'),
  ground: () => import('./pure/ground.ts'),
  judge: () => import('./pure/judge.ts'),
  messages: () => import('./pure/messages.ts'),
  memory: () => import('./pure/memory.ts'),
  fold: () => import('./pure/fold.ts'),
  'fold-start': () => import('./pure/fold-start.ts'),
  routing: () => import('./pure/routing.ts'),
  start: () => import('./offline/start.ts'),
  resident: () => import('./offline/resident.ts'),
  redact: () => import('./offline/corpora.ts'),
  commands: () => import('./offline/commands.ts'),
  hooks: () => import('./doors/hooks.ts'),
  stalls: () => import('./doors/stalls.ts'),
  authzen: () => import('./doors/authzen.ts'),
  'door-allocations': () => import('./doors/door-allocations.ts'),
  http: () => import('./doors/http.ts'),
  mcp: () => import('./doors/mcp.ts'),
  nats: () => import('./nats/verdicts.ts'),
  'nats-allocations': () => import('./nats/nats-allocations.ts'),
  'nats-latency': () => import('./nats/latency.ts'),
  'nats-fairness': () => import('./nats/neighbours.ts'),
  scaling: () => import('./scaling/scaling.ts'),
  realm: () => import('./realm/whole.ts'),
  projection: () => import('./neo4j/projection.ts'),
}

/** By the tests' own choice of a server. */
const canStart = {
  nats: async () => (await import('../test/support/servers/nats-server.ts')).canStartNats,
  neo4j: async () => (await import('../test/support/servers/neo4j-server.ts')).canStartNeo4j,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    part: { type: 'string', multiple: true, default: [] },
    corpus: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const unknown = positionals.filter((name) => !Object.hasOwn(benches, name))
const help = `npm run bench -- [NAME …] [options]

  --json           one line of JSON a figure
  --quick          a hundredth of everything, to see that it runs: the figures mean nothing
  --part NAME      of \`scaling\` this alone, such as \`cells\`, as often as there are parts
  --corpus FOLDER  texts for \`redact\` and \`commands\`, as often as there are folders

All, or those that are named:
  ${Object.keys(benches).join('\n  ')}
`
if (values.help) process.stdout.write(help)
else if (unknown.length > 0) {
  process.stderr.write(`no bench \`${unknown.join(' ')}\`: \`--help\` names them\n`)
  process.exitCode = 2
} else await runAll()

async function runAll(): Promise<void> {
  // Ends the process by the front door, so that folders and children go with it.
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  const machine = `${availableParallelism()} cores (${model}), Node ${process.versions.node}`
  if (!values.json) process.stdout.write(`${machine}${isQuick ? ', quick' : ''}\n\n`)
  for (const [name, load] of Object.entries(benches)) {
    const isNamed = positionals.includes(name)
    if (!isNamed && positionals.length > 0) continue
    const { bench } = await load()
    if (bench.isLong === true && !isNamed && !isQuick) continue
    if (bench.needs !== undefined && !(await canStart[bench.needs]())) {
      process.stderr.write(`\`${name}\` is left out: it needs ${bench.needs}\n`)
      continue
    }
    const options = { isNamed, corpora: values.corpus, parts: values.part }
    const figures = await bench.run(options)
    const text = values.json ? inJson(name, figures) : inText(`${bench.title} (${name})`, figures)
    process.stdout.write(text)
  }
  process.exit()
}
