// Plants small mistakes, one at a time, into a copy of the tree, and runs the tests that are about
// the file: a mistake that no test finds survives. `npm run mutants -- --help` says how.
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { chosen, mutantsOf, planted, type Mutant } from './mutants.ts'

const root = join(import.meta.dirname, '..', '..')
const msMax = 300_000

interface Area {
  readonly name: string
  /** Files and folders that mistakes are planted in. */
  readonly sources: readonly string[]
  /** What finds them, nearest first: the next runs where those before found nothing. */
  readonly tests: readonly (readonly string[])[]
}

const areas: readonly Area[] = [
  {
    name: 'rules',
    sources: ['shared/rules/chain/'],
    tests: [['test/rules/chain'], ['test/workers/policy', 'test/golden']],
  },
  {
    name: 'fold',
    sources: ['shared/state/fold/', 'shared/state/slices/'],
    tests: [
      ['test/state', 'test/workers/learning', 'test/workers/grounding'],
      ['test/workers/confirmation', 'test/workers/policy', 'test/client/grants'],
      ['test/replay/eras', 'test/golden'],
    ],
  },
  {
    name: 'stages',
    sources: ['shared/stages/'],
    tests: [
      ['test/workers/confirmation', 'test/workers/policy'],
      ['test/workers/grounding', 'test/workers/learning', 'test/golden'],
    ],
  },
  {
    name: 'replay',
    sources: ['shared/replay/'],
    tests: [['test/replay'], ['test/golden', 'test/runtime/engine/clock-reset.test.ts']],
  },
  {
    name: 'logs',
    // What needs a NATS server has its tests in another project, so it is left out.
    sources: [
      ...['crowd', 'delivery', 'fair-queue', 'refusals', 'stamp'].map(
        (name) => `shared/log/${name}.ts`,
      ),
      'shared/log/memory/',
      'shared/log/sqlite/',
    ],
    tests: [['test/log/log-memory', 'test/log/log-sqlite', 'test/log/fair'], ['test/log']],
  },
]

const help = `Usage: npm run mutants -- [options]

  --count N   how many mistakes are planted, spread over the areas (60)
  --seed N    which ones: the same number plants the same (1)
  --area NAME only this one: ${areas.map(({ name }) => name).join(', ')}
  --list      print what would be planted, and run nothing
`

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    area: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const write = (line: string): boolean => process.stdout.write(`${line}\n`)

function described({ path, line, before, after }: Mutant): string {
  const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 60)
  return `${path}:${line} \`${short(before)}\` → \`${short(after)}\``
}

function committed(): readonly string[] {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
  })
  return stdout
    .toString()
    .split('\0')
    .filter((path) => path !== '' && path !== 'node_modules')
}

/** What is here, in a folder where it may be broken. */
function copyOf(paths: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-mutants-'))
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Whether these tests pass there. Those that never end do not pass. */
async function pass(
  folder: string,
  tests: readonly string[],
  stdio: 'ignore' | 'inherit' = 'ignore',
): Promise<boolean> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const words = ['run', '--project=unit', '--bail=1', '--reporter=dot', '--maxWorkers=1']
  // On a busy machine a test may be slow, and a mutant is not found by that.
  words.push('--testTimeout=120000', '--retry=2', ...tests)
  const child = spawn(process.execPath, [vitest, ...words], { cwd: folder, stdio })
  const late = setTimeout(() => child.kill('SIGKILL'), msMax)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(late)
  return code === 0
}

async function survives(folder: string, mutant: Mutant, { tests }: Area): Promise<boolean> {
  const file = join(folder, mutant.path)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, planted(text, mutant))
  try {
    for (const some of tests) if (!(await pass(folder, some))) return false
    return true
  } finally {
    writeFileSync(file, text)
  }
}

async function tryArea(folder: string, area: Area, mutants: readonly Mutant[]): Promise<number> {
  for (const some of area.tests) {
    if (!(await pass(folder, some, 'inherit')))
      throw new Error(`${some.join(' ')}: these fail without a mutant`)
  }
  let survivors = 0
  for (const mutant of mutants) {
    const isAlive = await survives(folder, mutant, area)
    if (isAlive) survivors += 1
    write(`${isAlive ? 'SURVIVES' : 'found   '} ${described(mutant)}`)
  }
  write(`${area.name}: ${survivors} of ${mutants.length} survive`)
  return survivors
}

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(help)
    return
  }
  const named = areas.filter(({ name }) => values.area === undefined || values.area === name)
  const paths = committed()
  const each = Math.ceil(Number(values.count) / named.length)
  const plan = named.map((area) => {
    const isOf = (path: string): boolean => area.sources.some((source) => path.startsWith(source))
    const all = paths
      .filter((path) => isOf(path) && path.endsWith('.ts'))
      .flatMap((path) => mutantsOf(path, readFileSync(join(root, path), 'utf8')))
    return { area, mutants: chosen(all, each, Number(values.seed)) }
  })
  if (values.list) {
    for (const { mutants } of plan) for (const mutant of mutants) write(described(mutant))
    return
  }
  const folder = copyOf(paths)
  let [survivors, planted] = [0, 0]
  try {
    for (const { area, mutants } of plan) {
      survivors += await tryArea(folder, area, mutants)
      planted += mutants.length
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  write(`${survivors} of ${planted} mutants survive`)
}

await main()
