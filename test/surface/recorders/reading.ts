// What each command that reads prints of a played log, for people and as JSON.
import { played, ranText, runAt } from '../played.ts'
import { block, laidOut, plain, type Subject } from '../subject.ts'
import { byFirstWord } from './commands.ts'
import { readings } from './reading-calls.ts'

/** What prints no JSON, or the same. */
const noJson = new Set(['--csv', '--mermaid', '--dot', 'export', 'jwks'])

async function record(): Promise<ReadonlyMap<string, string>> {
  const blocks: [readonly string[], string][] = []
  for (const [log, calls] of readings) {
    const { cwd, now } = await played(log)
    for (const call of calls) {
      const path = call.split(' ')
      const json = [...path, '--json']
      // How doctor lays out a table depends on the name of the folder: its JSON alone is recorded.
      const isText = path.some((word) => noJson.has(word)) || call === 'log'
      for (const words of isText ? [path] : call === 'doctor' ? [json] : [path, json]) {
        const ran = await runAt(now, cwd, words)
        const text = laidOut(plain(ranText(ran), { cwd }))
        const title = `on ${log}: warrant ${words.join(' ')}`
        blocks.push([path, block(title, text)])
      }
    }
  }
  return byFirstWord(blocks)
}

export const reading: Subject = { folder: 'ours/reading', record }
