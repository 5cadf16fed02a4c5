// Measures what it costs to verify finished work: contracts with files and syntax gates a second,
// what setting a program apart adds to starting it, and texts that were written to take long.
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyCommit } from '#adapters/work/repository'
import { gatePrograms } from '#adapters/work/gate-programs'
import { readContract } from '#core/work/verification/contract-reading'
import { linksToAsk, sourcesGate, structureGate } from '#core/work/verification/text-gates'
import { verifyWork } from '#runtime/work/verify-work'
import { median, whole, type Report } from '../figures.ts'
import { growthOf } from '../growth.ts'

const rounds = 15

const files = {
  'calc.py': 'def add(a, b):\n    return a + b\n',
  'calc.json': '{"calls":[]}\n',
  'calc.ts': 'export const add = (a: number, b: number): number => a + b\n',
}

const hostile: ReadonlyMap<string, string> = new Map([
  ['one character', 'a'],
  ['links', '[a](https://a.example/1) '],
  ['bare links', 'https://a.example/1 '],
  ['numbers', '1,250 '],
  ['citations', '[1] '],
])

const research = readContract({
  taskId: 'T',
  objective: 'o',
  taskType: 'research',
  document: 'a.md',
  userProvidedContext: 'https://b.example 12',
}).contract

function checkText(text: string): void {
  structureGate(research, text)
  sourcesGate(research, text, 0)
  linksToAsk(research, text)
}

export async function benchVerify(isWhole: boolean): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'warrant-bench-'))
  try {
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
    const json = await verifyMs(folder, ['calc.json'])
    const python = await verifyMs(folder, ['calc.py'])
    const script = await verifyMs(folder, ['calc.ts'])
    const commit = await commitMs()
    const { bare, apart, kind } = await spawnMs(folder)
    const lengths = isWhole ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]
    const growth = growthOf({ texts: [...hostile], lengths, run: checkText, digits: 2 })
    return {
      title: 'texts through the gates of a text, MB a second of CPU',
      head: growth.head,
      rows: growth.rows,
      notes: [
        `${whole(1_000 / json)} verifications a second of a file in JSON: ${json.toFixed(1)} ms`,
        `${whole(1_000 / python)} of a file in Python: ${python.toFixed(1)} ms`,
        `${whole(1_000 / script)} of a file in TypeScript: ${script.toFixed(1)} ms`,
        `a commit of ${committed} files copied: ${commit.ours.toFixed(0)} ms;` +
          ` checked out by git: ${commit.git.toFixed(0)} ms`,
        `a program that does nothing: ${bare.toFixed(1)} ms bare, ${apart.toFixed(1)} ms (${kind})`,
      ],
      targets: [
        {
          claim: 'linear: the longest costs a byte at most five times what 10 kB cost',
          met: growth.worst <= 5,
          figures: `${growth.worst.toFixed(2)} times at worst`,
        },
      ],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The median of several, one after the other. */
async function medianMs(run: () => Promise<unknown>): Promise<number> {
  await run()
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return median(times)
}

function verifyMs(folder: string, requiredFiles: readonly string[]): Promise<number> {
  const read = readContract({ taskId: 'T', objective: 'o', requiredFiles })
  const given = { place: { folder }, reported: null, readable: [], acceptsProcess: false }
  return medianMs(() => verifyWork({ ...read, ...given, online: null, model: null }))
}

const committed = 500

/** A repository of small files, copied by us and checked out by git, in turn. */
async function commitMs() {
  const top = await mkdtemp(join(tmpdir(), 'warrant-bench-'))
  try {
    const git = (...args: readonly string[]) => {
      const by = ['-c', 'user.name=A', '-c', 'user.email=a@example.org']
      return spawnSync('git', ['-C', join(top, 'work'), ...by, ...args]).stdout
    }
    await mkdir(join(top, 'work'))
    git('init', '--quiet')
    for (let index = 0; index < committed; index += 1) {
      await writeFile(join(top, 'work', `f${index}.txt`), `${index}\n`.repeat(100))
    }
    git('add', '--all')
    git('commit', '--quiet', '--message=m')
    const place = {
      repository: join(top, 'work'),
      commit: git('rev-parse', 'HEAD').toString().trim(),
    }
    let count = 0
    const into = () => join(top, `copy-${(count += 1)}`)
    const ours = await medianMs(() => copyCommit(place, into()))
    const bare = await medianMs(() => {
      return Promise.resolve(git('worktree', 'add', '--detach', '--quiet', into()))
    })
    return { ours, git: bare }
  } finally {
    await rm(top, { recursive: true, force: true })
  }
}

async function spawnMs(folder: string) {
  const programs = await gatePrograms([])
  const { limits } = readContract({ taskId: 'T', objective: 'o' }).contract
  const command = ['sh', '-c', ':']
  const overlay = new Map<string, string>()
  const of = { command, folder, paths: Object.keys(files), overlay, limits, timeoutSeconds: 20 }
  const apart = await medianMs(() => programs.run(of))
  const bare = await medianMs(() => Promise.resolve(spawnSync('sh', ['-c', ':'], { cwd: folder })))
  return { bare, apart, kind: programs.isolation.kind }
}
