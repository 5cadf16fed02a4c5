// The golden logs as a stranger would have them: each as a log file in a folder of its own, at a
// moment that stands still, with the keys of those who signed in it.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { importFacts } from '#log/sqlite/import'
import type { Fact } from '#ports/log'
import { keepModule } from '#authoring/callback-store'
import { moduleText } from '../golden/scenes/cast.ts'
import { readGolden } from '../golden/golden-log.ts'
import { keysOf, run, type Ran } from '../support/cli-runner.ts'
import { keys } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

export const golden = join(import.meta.dirname, '..', 'golden')
const minuteMs = 60_000

export interface Played {
  readonly cwd: string
  readonly facts: readonly Fact[]
  /** A minute after the last fact. */
  readonly now: number
}

export function factsOf(log: string): Promise<readonly Fact[]> {
  return readGolden(join(golden, log))
}

export async function played(log: string): Promise<Played> {
  const cwd = await temporaryFolder()
  const facts = await factsOf(log)
  const home = join(cwd, '.warrant')
  await mkdir(home)
  await keepModule(home, moduleText)
  await importFacts(join(home, 'log.db'), inTurn(facts))
  await mkdir(keysOf(cwd), { mode: 0o700 })
  for (const [name, key] of Object.entries(keys)) {
    await writeFile(join(keysOf(cwd), `${name}.pem`), key, { mode: 0o600 })
  }
  return { cwd, facts, now: (facts.at(-1)?.appendedAt ?? 0) + minuteMs }
}

async function* inTurn(facts: readonly Fact[]): AsyncGenerator<Fact, void, void> {
  for (const fact of facts) yield await Promise.resolve(fact)
}

/** Runs a command at that moment, as it is written. */
export async function runAt(
  now: number,
  cwd: string,
  words: readonly string[],
  input = '',
): Promise<Ran> {
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    return await run(words, { cwd, env: { COLUMNS: '100', NO_COLOR: '1' }, isBare: true, input })
  } finally {
    vi.useRealTimers()
  }
}

/** How it ended and what it printed, on each stream. */
export function ranText({ code, stdout, stderr }: Ran): string {
  const errors = stderr === '' ? '' : `--- standard error\n${stderr}`
  const answered = stdout === '' || stdout.endsWith('\n') ? stdout : `${stdout}\n`
  return `${answered}${errors}--- exit ${code}\n`
}
