// Measures how commands of a shell are judged: how many a second, what one costs as a process of
// its own, and how far the outcomes agree with those of a file that someone else wrote.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '#services/cli/opening/package-root'
import { checkLine, openShellSeed, type CheckedCommand } from '#services/cli/hook/check'
import { builtFile } from '../../test/support/vitest/built.ts'
import { setup as compile } from '../../test/support/vitest/compile.ts'
import { fixed, spread, whole, type Report } from '../figures.ts'

/** What `hook check` is to take at most as a process, without a server. */
const processMsMax = 400
const starts = 9
const roundsMs = 2_000

const Line = z.looseObject({
  command: z.string(),
  cwd: z.string().optional(),
  outcome: z.enum(['allow', 'ask', 'deny']).optional(),
  /** Whether it runs without asking: another way to say `allow`. */
  approve: z.boolean().optional(),
})
type Line = z.infer<typeof Line>

const ours = join('test', 'services', 'cli', 'hook', 'cases.ndjson')

/** Over the commands of that file, else over our own cases. */
export async function benchShell(file: string | null): Promise<Report> {
  const path = file ?? join(packageRoot(), ours)
  const lines = linesOf(path)
  const seed = await openShellSeed()
  const judged = lines.map((line) => {
    const checked = checkLine({ command: line.command, cwd: line.cwd }, seed)
    if ('error' in checked) throw new Error(`\`${path}\`: ${checked.error.message}`)
    return { line, checked }
  })
  const agreed = judged.filter(({ line, checked: { outcome } }) => isSame(line, outcome)).length
  const speed = perSecond(() => {
    for (const { command, cwd } of lines) checkLine({ command, cwd }, seed)
  }, lines.length)
  compile()
  const bare = times(['-e', '0'], '')
  const alone = times([builtFile('services/cli/main.ts'), 'hook', 'check'], '{"command":"ls"}\n')
  const milliseconds = fixed(0)
  return {
    title: `commands of a shell, as \`${path}\` expects them and as the seed judges them`,
    head: ['expected → judged', 'commands', 'share', 'for example'],
    rows: classesOf(judged, lines.length),
    notes: [
      `${whole(agreed)} of ${whole(lines.length)} agree`,
      `${whole(speed)} commands a second, one after the other`,
      `\`warrant hook check\` of one command: ${spread(alone, milliseconds)} ms`,
      `\`node -e 0\` in the same run: ${spread(bare, milliseconds)} ms`,
    ],
    targets: [
      {
        claim: `one command as a process takes at most ${processMsMax} ms`,
        met: Math.max(...alone.toSorted((a, b) => a - b).slice(0, -1)) <= processMsMax,
        figures: `${spread(alone, milliseconds)} ms; all but the longest count`,
      },
    ],
  }
}

function linesOf(path: string): readonly Line[] {
  const texts = readFileSync(path, 'utf8').split('\n')
  return texts.filter((text) => text !== '').map((text) => Line.parse(JSON.parse(text)))
}

function expected({ outcome, approve }: Line): string {
  if (outcome !== undefined) return outcome
  return approve === true ? 'allow' : 'ask or deny'
}

function isSame(line: Line, outcome: CheckedCommand['outcome']): boolean {
  return expected(line).split(' or ').includes(outcome)
}

interface Judged {
  readonly line: Line
  readonly checked: CheckedCommand
}

/** By what is expected and what decides, the most frequent first. */
function classesOf(judged: readonly Judged[], all: number): Report['rows'] {
  const classes = new Map<string, Judged[]>()
  for (const one of judged) {
    const { outcome, why } = one.checked
    const name = `${expected(one.line)} → ${outcome}${why === undefined ? '' : ` (${why})`}`
    classes.set(name, [...(classes.get(name) ?? []), one])
  }
  return [...classes]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([name, found]) => {
      const example = JSON.stringify(found[0]?.line.command ?? '').slice(0, 60)
      return [name, whole(found.length), `${((100 * found.length) / all).toFixed(1)} %`, example]
    })
}

function perSecond(round: () => void, of: number): number {
  round()
  const start = performance.now()
  let rounds = 0
  while (performance.now() - start < roundsMs) {
    round()
    rounds += 1
  }
  return (rounds * of * 1_000) / (performance.now() - start)
}

/** In milliseconds, from the start of the process to its end. */
function times(args: readonly string[], input: string): readonly number[] {
  const measured = Array.from({ length: starts + 1 }, () => {
    const start = performance.now()
    const { status } = spawnSync(process.execPath, args, { input })
    if (status !== 0) throw new Error(`\`${args.join(' ')}\` ended with ${String(status)}`)
    return performance.now() - start
  })
  // The first one fills the caches of the disk.
  return measured.slice(1)
}
