// Runs all benches, or those that are named, and prints what they found: tables for people, or one
// JSON line a bench for programs. Each is a ratio within one run; nothing here judges a commit.
import { tableOf, type Report } from './figures.ts'
import { benchLatency } from './latency.ts'
import { benchMemory } from './memory.ts'
import { benchGround, benchJudge, benchLog, benchMessages } from './parts.ts'
import { benchReplay } from './replay.ts'
import { benchVerdicts } from './verdicts.ts'

const million = 1_000_000
const few = 200_000

const benches: ReadonlyMap<string, (named: boolean) => Promise<Report>> = new Map([
  ['log', benchLog],
  ['verdicts', benchVerdicts],
  ['latency', benchLatency],
  ['ground', benchGround],
  ['judge', benchJudge],
  ['messages', benchMessages],
  ['replay', benchReplay],
  // A million takes minutes: only when it is asked for by name.
  ['memory', (named: boolean) => benchMemory(named ? million : few)],
])

const args = process.argv.slice(2)
const json = args.includes('--json')
const names = args.filter((arg) => arg !== '--json')
const unknown = names.filter((name) => !benches.has(name))
if (unknown.length > 0) {
  process.stderr.write(
    `no bench \`${unknown.join(' ')}\`: take ${[...benches.keys()].join(', ')}\n`,
  )
  process.exitCode = 2
} else {
  for (const [name, bench] of benches) {
    if (names.length === 0 || names.includes(name)) print(await bench(names.includes(name)))
  }
}

function print(report: Report): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(report)}\n`)
    return
  }
  const targets = report.targets.map(({ claim, met, figures }) => {
    return `  ${met ? 'met    ' : 'not met'}  ${claim}: ${figures}`
  })
  const notes = report.notes.map((note) => `  ${note}`)
  const lines = [report.title, tableOf(report), ...notes, ...targets, '']
  process.stdout.write(`${lines.join('\n')}\n`)
}
