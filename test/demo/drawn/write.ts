// Writes made-up sessions of a suite as a recording that `warrant demo --seed office` plays:
// node --conditions=warrant-source --import tsx test/demo/drawn/write.ts SUITE FOLDER [SEED].
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dailylifeSuite } from './dailylife.ts'
import { drawSession, type Line, type Suite } from './draft.ts'
import { githubSuite } from './github.ts'
import { own } from './shared-tools.ts'

interface Drawn {
  readonly suite: Suite
  readonly folder: string
  readonly seed: number
  /** How many sessions without an attack, and with one. */
  readonly counts: readonly [right: number, attacked: number]
}

export async function writeDrawn({ suite, folder, seed, counts }: Drawn): Promise<void> {
  const [right, attacked] = counts
  const draw = (count: number, isAttacked: boolean) =>
    Array.from({ length: count }, (_, index) =>
      drawSession(suite, { index, seed, attacked: isAttacked }),
    )
  const sessions = [...draw(right, false), ...draw(attacked, true)]
  const lines = (all: readonly Line[]): string =>
    all.map((one) => `${JSON.stringify(one)}\n`).join('')
  const environment = {
    suite: suite.name,
    user: { ownAccounts: [own.email, own.account, own.user] },
    presentDate: '2024-05-19',
  }
  await mkdir(folder, { recursive: true })
  await Promise.all([
    writeFile(join(folder, 'environment.json'), JSON.stringify(environment)),
    writeFile(join(folder, 'calls.ndjson'), lines(sessions.flatMap(({ calls }) => calls))),
    writeFile(join(folder, 'labels.ndjson'), lines(sessions.flatMap(({ labels }) => labels))),
    writeFile(join(folder, 'sessions.ndjson'), lines(sessions.map(({ about }) => about))),
  ])
}

if (process.argv[1] === import.meta.filename) {
  const [name = '', folder = '', seed = '1'] = process.argv.slice(2)
  const suite = [githubSuite, dailylifeSuite].find((one) => one.name === name)
  if (suite === undefined || folder === '') throw new Error('SUITE FOLDER [SEED]')
  await writeDrawn({ suite, folder, seed: Number(seed), counts: [120, 120] })
}
