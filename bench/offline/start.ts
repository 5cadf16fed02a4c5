// Measures what it costs to begin: the package as it is installed, each command as a process of its
// own, in turn with a process of Node that does nothing.
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '#core/kernel/fault'
import { median, quantile, type Report } from '../figures.ts'
import { inFolder } from '../nats/deployment.ts'

/** With the first, as many asks in a minute as the agent may make. */
const rounds = 9

interface Begun {
  readonly what: string
  readonly words: readonly string[]
}

export function benchStart(): Promise<Report> {
  return inFolder((folder) => Promise.resolve(measured(folder)))
}

function measured(folder: string): Report {
  const main = installed(folder)
  const run = ({ words }: Pick<Begun, 'words'>): void => {
    const env = { ...process.env, XDG_CONFIG_HOME: join(folder, 'config'), WARRANT_LOG: '' }
    execFileSync(process.execPath, words, { cwd: folder, env, stdio: 'pipe' })
  }
  run({ words: [main, 'init'] })
  const why = 'Ann asked for her invoice'
  const ask = ['ask', 'send_email', '--arg', 'to=ann@example.org', '--justification', why]
  const connects = "const { connect } = await import('warrant-runtime')"
  const opens = `${connects}; const one = await connect({ as: 'my-agent' }); await one.close()`
  const all: readonly Begun[] = [
    { what: 'Node alone', words: ['--eval', '0'] },
    { what: 'warrant --version', words: [main, '--version'] },
    { what: 'warrant log', words: [main, 'log'] },
    { what: 'warrant ask, to the verdict', words: [main, ...ask] },
    { what: 'a program that imports it', words: ['--input-type=module', '--eval', connects] },
    { what: 'a program that opens a log', words: ['--input-type=module', '--eval', opens] },
  ]
  const times = new Map(all.map(({ what }) => [what, new Array<number>()]))
  // The first round fills the caches of the system and is not counted.
  for (let round = -1; round < rounds; round += 1) {
    for (const one of all) {
      const start = performance.now()
      run(one)
      if (round >= 0) times.get(one.what)?.push(performance.now() - start)
    }
  }
  const bare = median(times.get('Node alone') ?? [])
  return {
    title: 'what a process costs to begin and end, milliseconds',
    head: ['process', 'p50', 'p95', 'times Node alone'],
    rows: [...times].map(([what, taken]) => {
      const p50 = median(taken)
      return [what, p50.toFixed(0), quantile(taken, 0.95).toFixed(0), (p50 / bare).toFixed(1)]
    }),
    notes: [`${rounds} rounds of each in turn, of the package as npm installs it`],
    targets: [],
  }
}

/** Packs the package, installs it in the folder, and gives its program. */
export function installed(folder: string): string {
  const root = join(import.meta.dirname, '..', '..')
  const npm = (words: readonly string[], cwd: string): void => {
    execFileSync('npm', words, { cwd, stdio: 'pipe' })
  }
  npm(['pack', '--silent', '--pack-destination', folder], root)
  // What was compiled for it is of no use here.
  rmSync(join(root, 'dist'), { recursive: true })
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  assert(packed !== undefined, 'npm packed it')
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  npm(['install', '--silent', '--prefer-offline', '--omit=dev', `./${packed}`], folder)
  return join(folder, 'node_modules', 'warrant-runtime', 'dist', 'services', 'cli', 'main.js')
}
