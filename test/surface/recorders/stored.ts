// What is kept: the tables of a log file, the state that an era of each golden log would end with,
// and the lines of a backup and of evidence.
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Connection } from '#adapters/sqlite/connection'
import { writeSnapshot } from '#core/state/eras/genesis'
import { evolve } from '#core/state/fold/evolve'
import { newState } from '#core/state/state'
import { placeIn } from '../../golden/golden-log.ts'
import { factsOf, golden, played, ranText, runAt } from '../played.ts'
import { block, plain, type Subject } from '../subject.ts'

const logs = readdirSync(golden).filter((name) => /^\d+\.\d+\.\d+/.test(name))

async function eras(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const log of logs) {
    const facts = await factsOf(log)
    const state = newState(placeIn(facts))
    for (const fact of facts) evolve(state, fact)
    files.set(`${log}.txt`, [...writeSnapshot(state)].join(''))
  }
  return files
}

export const eraStates: Subject = { folder: 'frozen/era-states', record: eras }

async function record(): Promise<ReadonlyMap<string, string>> {
  const { cwd, now } = await played('0.2.0-executions')
  const connection = new Connection(join(cwd, '.warrant', 'log.db'))
  const schema = connection.rows(
    'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name',
  )
  connection.close()
  const files = new Map([['log-file.txt', schema.map(([sql]) => `${String(sql)};\n`).join('\n')]])
  for (const line of ['backup all.gz', 'export one.gz --intent bot.-.G0003']) {
    const [command = '', file = ''] = line.split(' ')
    const ran = await runAt(now, cwd, line.split(' '))
    const text = plain(gunzipSync(await readFile(join(cwd, file))).toString('utf8'))
    files.set(`${command}.txt`, block(`warrant ${line}`, plain(ranText(ran), { cwd })) + text)
  }
  return files
}

export const stored: Subject = { folder: 'frozen/stored', record }
