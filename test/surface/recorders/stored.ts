// What is kept: the tables of a log file, the state that an era of each golden log would end with,
// and the lines of a backup and of evidence.
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Connection } from '#log/sqlite/connection'
import { writeSnapshot } from '#state/eras/genesis'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import { placeIn } from '../../golden/golden-log.ts'
import { factsOf, golden, played, ranText, runAt } from '../played.ts'
import { block, laidOut, plain, type Subject } from '../subject.ts'

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

const kept = ['backup all.gz', 'export one.gz --intent bot.-.G0003']

async function record(): Promise<ReadonlyMap<string, string>> {
  const { cwd, now } = await played('0.2.0-executions')
  const connection = new Connection(join(cwd, '.warrant', 'log.db'))
  const schema = connection.rows(
    'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name',
  )
  connection.close()
  const files = new Map([['log-file.txt', schema.map(([sql]) => `${String(sql)};\n`).join('\n')]])
  for (const line of kept) {
    const [command = '', file = ''] = line.split(' ')
    await runAt(now, cwd, line.split(' '))
    const text = gunzipSync(await readFile(join(cwd, file))).toString('utf8')
    files.set(`${command}.txt`, plain(text))
  }
  return files
}

export const stored: Subject = { folder: 'frozen/stored', record }

/** What is printed of keeping a log, and of proving what was kept. */
async function keeping(): Promise<ReadonlyMap<string, string>> {
  const { cwd, now } = await played('0.2.0-executions')
  let text = ''
  for (const line of [
    ...kept,
    'backup all.gz',
    'backup second.gz --json',
    'export second.gz --intent unknown',
    'verify one.gz',
    'verify one.gz --json',
    'verify one.gz --root-key AAAAAAAAAAAAAAAA',
    'verify all.gz',
    'verify missing.gz',
    'restore all.gz --log restored/log.db',
    'restore all.gz --log restored/log.db',
    'restore all.gz --log again/log.db --json',
    'restore one.gz --log third/log.db',
  ]) {
    const ran = await runAt(now, cwd, line.split(' '))
    text += block(`warrant ${line}`, laidOut(plain(ranText(ran), { cwd })))
  }
  return new Map([['commands.txt', text.replaceAll(/\d[\d.]* kB/g, '<size> kB')]])
}

export const keepingLogs: Subject = { folder: 'ours/keeping', record: keeping }
