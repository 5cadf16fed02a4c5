// Runs the scenes of chaos and prints what the log held after each. It ends with 1 where anything
// acknowledged was lost, doubled, or has not one verdict that derives again.
import { parseArgs } from 'node:util'
import { quantile, tableOf } from '../figures.ts'
import { scenes, type Scene } from './scenes.ts'
import type { Options, Outcome } from './trial.ts'

const help = `Usage: npm run chaos -- [options]

  --scene NAME  only this one: ${[...scenes.keys()].join(', ')}
  --rate N      intents a second (100)
  --seconds N   how long each scene asks, at the least (40)
  --turns N     how often the era is rotated in its scene (5)
  --json        one JSON line a scene
`

const head = [
  'scene',
  'acknowledged',
  'lost',
  'doubled',
  'two verdicts',
  'none',
  'verdict p50/p99/max s',
  'replay',
]

const { values } = parseArgs({
  options: {
    scene: { type: 'string' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '40' },
    turns: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const chosen = [...scenes].filter(([name]) => (values.scene ?? name) === name)
if (values.help || chosen.length === 0) {
  process.stderr.write(help)
  process.exitCode = values.help ? 0 : 2
} else {
  // Ends the process by the front door, so that servers and workers go with it.
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  process.exit((await runAll(chosen)) ? 0 : 1)
}

async function runAll(some: readonly (readonly [string, Scene])[]): Promise<boolean> {
  const numbers = [values.rate, values.seconds, values.turns].map(Number)
  const [rate = 0, seconds = 0, turns = 0] = numbers
  const options: Options = { rate, seconds, turns }
  const outcomes: [string, Outcome][] = []
  for (const [name, scene] of some) {
    const outcome = await scene(options)
    outcomes.push([name, outcome])
    if (values.json) process.stdout.write(`${JSON.stringify({ scene: name, ...flat(outcome) })}\n`)
    else process.stderr.write(`${name}: ${noteOn(outcome)}\n`)
  }
  if (!values.json) process.stdout.write(`${tableOf({ head, rows: outcomes.map(rowOf) })}\n`)
  return outcomes.every(([, outcome]) => isClean(outcome))
}

function isClean({ lost, doubled, twoVerdicts, noVerdict, faults, wrong }: Outcome): boolean {
  return lost + doubled + twoVerdicts + noVerdict + faults + wrong.length === 0
}

function rowOf([name, outcome]: readonly [string, Outcome]): readonly (string | number)[] {
  const { acknowledged, lost, doubled, twoVerdicts, noVerdict, faults, wrong } = outcome
  const seconds = timesIn(outcome).map((ms) => (ms / 1_000).toFixed(2))
  const setAside = faults === 0 ? [] : [`${faults} jobs set aside`]
  const replay = [...setAside, ...wrong].join('; ') || 'clean'
  return [name, acknowledged, lost, doubled, twoVerdicts, noVerdict, seconds.join('/'), replay]
}

function timesIn({ verdictMs }: Outcome): readonly number[] {
  return [0.5, 0.99, 1].map((part) => quantile(verdictMs, part))
}

function noteOn({ done, unanswered }: Outcome): string {
  return unanswered === 0 ? done : `${done}; ${unanswered} agents had no answer in time`
}

function flat(outcome: Outcome) {
  const { verdictMs: _all, ...rest } = outcome
  const [p50, p99, max] = timesIn(outcome)
  return { ...rest, verdictMs: { p50, p99, max }, isClean: isClean(outcome) }
}
