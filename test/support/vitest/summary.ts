// What a run says at its end: which files took longest, and which cases did not run and why.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { isFull } from './counts.ts'
import { filesOf, plainProjects, withoutExtras } from './projects.ts'

const slowMax = 10
const slowMsMin = 500

/** Why a file may skip cases, by the guard that stands in it. */
const guards: readonly (readonly [RegExp, string])[] = [
  [/\b(natsBinary|canStartNats|hasNats)\b/, 'no nats-server'],
  [/\bhasNeo4j\b/, 'no Neo4j'],
  [/\bhasMcpServers\b/, 'no public servers of MCP'],
  [/\bhasEnvoy\b/, 'no Envoy'],
  [/\bhasBrowser\b/, 'no Chromium'],
  [/\bhasTerminals\b/, 'no terminal'],
  [/\bisApart\b/, 'no namespaces'],
  [/\bolderIsHere\b/, 'no older version in the history'],
]

/** Vitest makes one of it and calls it; nothing else does. */
export class Summary implements Reporter {
  readonly #start = performance.now()

  onTestRunEnd(modules: readonly TestModule[]): void {
    const time = timing(performance.now() - this.#start)
    const lines = [...slowest(modules), closing(modules), ...leftOut(modules), time]
    process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}

function slowest(modules: readonly TestModule[]): readonly string[] {
  const timed = modules
    .map((module) => {
      const { duration, collectDuration } = module.diagnostic()
      return { path: pathOf(module), ms: duration + collectDuration }
    })
    .filter(({ ms }) => ms >= slowMsMin)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, slowMax)
  if (timed.length === 0) return []
  const lines = timed.map(({ path, ms }) => `  ${seconds(ms).padStart(7)}  ${path}`)
  return ['Slowest files:', ...lines]
}

interface Left {
  cases: number
  readonly files: Set<string>
}

function closing(modules: readonly TestModule[]): string {
  const left = new Map<string, Left>()
  let all = 0
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      all += 1
      const result = test.result()
      if (result.state !== 'skipped' && result.state !== 'pending') continue
      const why = result.state === 'skipped' && result.note ? result.note : reasonOf(module, test)
      const one = left.get(why) ?? { cases: 0, files: new Set() }
      one.cases += 1
      one.files.add(pathOf(module))
      left.set(why, one)
    }
  }
  const none = [...left.values()].reduce((sum, { cases }) => sum + cases, 0)
  if (none === 0) return `All ${grouped(all)} cases ran.`
  const reasons = [...left].map(([why, { cases, files }]) => {
    return `${why} (${grouped(cases)} in ${files.size} ${files.size === 1 ? 'file' : 'files'})`
  })
  return `${grouped(none)} of ${grouped(all)} cases not run: ${reasons.join(', ')}.`
}

/** What is in projects that were not named, and what stands on packages that are not here. */
function leftOut(modules: readonly TestModule[]): readonly string[] {
  const named = modules[0]?.project.vitest.config.project ?? []
  const isPlain = plainProjects.every((name) => named.includes(name))
  const others = isPlain ? filesOf('processes').length + filesOf('servers').length : 0
  return [
    [others, '`npm run test:processes` runs what starts processes, browsers and servers'] as const,
    [withoutExtras.length, '`npm run extras` brings the packages they try'] as const,
  ]
    .filter(([files]) => files > 0)
    .map(([files, way]) => `${files} more test files not run: ${way}.`)
}

function reasonOf(module: TestModule, test: TestCase): string {
  if (module.project.vitest.config.testNamePattern !== undefined) return 'not named by -t'
  const text = readFileSync(module.moduleId, 'utf8')
  if (!isFull && isLong(text, test)) return 'long, `npm run test:all` runs them'
  const found = guards.filter(([guard]) => guard.test(text)).map(([, why]) => why)
  return found.length === 0 ? 'skipped by the test' : found.join(' or ')
}

/** Whether the test, or what it stands in, is left to full runs. */
function isLong(text: string, test: TestCase): boolean {
  const long = [...text.matchAll(/\.runIf\(isFull\b[^)]*\)\(\s*'([^']+)'/g)]
  return long.some(([, title = '']) => test.fullName.includes(title))
}

function timing(ms: number): string {
  const part = isFull ? 'everything in full' : 'long counts in part: `npm run test:all` runs all'
  return `${seconds(ms)}, ${part}.`
}

function pathOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ' ')
}
