// The tables of recorded work: for each its data, whose it is, what a replay cannot show, and how
// it is counted. Data that is no part of this project is read from a folder, if it is there.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { bench as commands } from '../offline/commands.ts'
import { bench as corpora } from '../offline/corpora.ts'
import { median, type Bench, type Figure } from '../harness.ts'

export interface Table {
  readonly id: string
  readonly title: string
  readonly data: string
  readonly licence: string
  readonly cannotShow: string
  /** Below the folder that is given; absent where the data is in this repository. */
  readonly folder?: string
  /** What that folder must have. */
  readonly file?: string
  readonly again: string
  /** One line a figure. */
  readonly count: (folder: string) => readonly string[] | Promise<readonly string[]>
}

const wanting =
  'What agents would have done once they were refused: calls are played as they were recorded.'
const answering = `${wanting} What people would have answered: the labels answer for them.`
const noModel = 'No model was used: each attack succeeds as far as its calls are let through.'
const unsaid =
  'What the customer had said in words, so also which of two lawful options was wanted.'
const mit = 'MIT'

const agentDyn = (suite: string): Table => ({
  id: `agentdyn-${suite}`,
  title: `AgentDyn, ${suite}`,
  data: 'recorded sessions of eight models, undefended, half of them attacked (leolee99/AgentDyn)',
  licence: mit,
  cannotShow: answering,
  folder: `agentdyn/${suite}`,
  file: 'calls.ndjson',
  again: `warrant demo --seed office --data FOLDER/agentdyn/${suite} --json`,
  count: (folder) => played(['--seed', 'office', '--data', folder]),
})

const agentDojo = (suite: string): Table => ({
  id: `agentdojo-${suite}`,
  title: `AgentDojo, ${suite}`,
  data: 'true calls of tasks and attacks, run by the library of the benchmark (agentdojo 0.1.35)',
  licence: mit,
  cannotShow: `${noModel} ${answering}`,
  folder: `agentdojo/${suite}`,
  file: 'calls.ndjson',
  again: `warrant demo --seed office --data FOLDER/agentdojo/${suite} --json`,
  count: (folder) => played(['--seed', 'office', '--data', folder]),
})

const airline: Omit<Table, 'id' | 'title' | 'data' | 'again' | 'count'> = {
  licence: mit,
  cannotShow: `${unsaid} ${answering}`,
}

export const tables: readonly Table[] = [
  ...['shopping', 'github', 'dailylife'].map(agentDyn),
  ...['workspace', 'banking', 'slack', 'travel'].map(agentDojo),
  {
    ...airline,
    id: 'airline',
    title: 'Airline, 25 tasks',
    data: '100 conversations of a service agent (sierra-research/tau-bench), in `seeds/airline/`',
    again: 'warrant demo --json',
    count: () => played([]),
  },
  {
    ...airline,
    id: 'airline-five',
    title: 'Airline, tasks 36, 43, 47, 48 and 49',
    data: '20 conversations of the same recording, in the form of `seeds/airline/`',
    folder: 'airline-five',
    again: 'warrant demo --data FOLDER/airline-five --json',
    count: (folder) => played(['--data', folder]),
  },
  {
    id: 'day',
    title: 'Commands of a day',
    data: '300 commands of a developer, drawn before any rule, in `test/data/field/`',
    licence: 'that of this project',
    cannotShow: 'What the commands came to: they are judged, and not run.',
    again: 'npm run bench -- commands',
    count: () => benched(commands),
  },
  {
    id: 'commands',
    title: 'Commands, beside another tool',
    data: 'half of the commands of the tests of Dippy (ldayton/Dippy), with what it lets run',
    licence: mit,
    cannotShow: 'What the commands came to: they are judged, and not run.',
    folder: 'shell',
    again: 'npm run bench -- commands --corpus FOLDER/shell',
    count: (folder) => benched(commands, folder, 'another tool'),
  },
  {
    id: 'attacks',
    title: 'Commands, attacks and harmless ones',
    data: 'GTFOBins entries and harmless commands (GuidoBergman/SecBASH)',
    licence: 'GPL-3.0 of GTFOBins: no copy here',
    cannotShow: 'What the commands came to: they are judged, and not run.',
    folder: 'SecBASH',
    again: 'npm run bench -- commands --corpus FOLDER/SecBASH',
    count: (folder) => benched(commands, folder),
  },
  ...['leaky-repo', 'gitleaks', 'presidio-research/data'].map((folder): Table => ({
    id: `redaction-${folder.split('/')[0] ?? folder}`,
    title: `Redaction, ${folder.split('/')[0] ?? folder}`,
    data: 'files, texts or tests of rules with what is secret in them marked, in a clone',
    licence: mit,
    cannotShow: 'What is secret in texts of other kinds.',
    folder,
    again: `npm run bench -- redact --corpus FOLDER/${folder}`,
    count: (path) => benched(corpora, path),
  })),
]

const Counts = z.record(z.string(), z.number())
const Score = z.looseObject({
  right: Counts,
  harmful: Counts.optional(),
  injected: Counts.optional(),
  other: Counts.optional(),
  questions: z.union([z.number(), z.looseObject({})]).optional(),
  sessions: z.looseObject({}).optional(),
})

function played(args: readonly string[]): readonly string[] {
  const cwd = mkdtempSync(join(tmpdir(), 'warrant-evidence-'))
  try {
    const program = join(packageRoot(), 'services/cli/main.ts')
    const node = ['--conditions=warrant-source', '--import', import.meta.resolve('tsx')]
    const output = execFileSync(process.execPath, [...node, program, 'demo', ...args, '--json'], {
      cwd,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    const { tools: _tools, ...score } = Score.parse(
      JSON.parse(output.trimEnd().split('\n').at(-1) ?? ''),
    )
    return Object.entries(score).flatMap(([what, counts]) => lineOf(what, counts))
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** Such as `right: 62 allowed of 62`; what is no count is left out. */
function lineOf(what: string, counts: unknown): readonly string[] {
  if (typeof counts === 'number') return [`${what}: ${rounded(counts)}`]
  if (typeof counts !== 'object' || counts === null) return []
  const entries = Object.entries(counts)
  const named = entries.filter(([name, value]) => name !== 'total' && typeof value === 'number')
  if (named.length === 0)
    return entries.flatMap(([name, value]) => lineOf(`${what}, ${name}`, value))
  const of = entries.find(([name]) => name === 'total')
  const parts = named.map(([name, value]) => `${rounded(value)} ${name}`).join(', ')
  return [`${what}: ${parts}${of === undefined ? '' : ` of ${String(of[1])}`}`]
}

function rounded(value: unknown): string {
  return String(Math.round(Number(value) * 1000) / 1000)
}

/** Of its figures those that are no time; of a folder the ones that begin so. */
async function benched(bench: Bench, folder?: string, only = ''): Promise<readonly string[]> {
  const figures = await bench.run({ isNamed: true, corpora: folder === undefined ? [] : [folder] })
  return figures
    .filter(({ unit, name }) => unit !== 'ms' && name.startsWith(only))
    .filter(({ name }) => folder === undefined || !name.startsWith('a day'))
    .map(lineOfFigure)
}

function lineOfFigure({ name, unit, values }: Figure): string {
  return `${name}${unit === '' ? '' : ` (${Math.round(median(values) * 10) / 10} ${unit})`}`
}

/** Where its data is; null where that is not there. */
export function placeOf({ folder, file = '' }: Table, data: string | undefined): string | null {
  if (folder === undefined) return packageRoot()
  if (data === undefined) return null
  const path = join(data, folder)
  return existsSync(join(path, file)) ? path : null
}
