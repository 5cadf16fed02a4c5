// What each command that reads prints of a played log, for people and as JSON.
import { played, ranText, runAt } from '../played.ts'
import { block, laidOut, plain, type Subject } from '../subject.ts'
import { byFirstWord } from './commands.ts'
import { readings } from './reading-calls.ts'

/** What prints no JSON, or the same. */
const noJson = new Set(['--csv', '--mermaid', '--dot', 'export', 'jwks'])

/** How wide its columns are depends on the name of the folder. */
function unwrapped(text: string): string {
  return text.replaceAll(/\n {10,}/g, ' ').replaceAll(/(\S) {2,}/g, '$1  ')
}

async function record(): Promise<ReadonlyMap<string, string>> {
  const blocks: [readonly string[], string][] = []
  for (const [log, calls] of readings) {
    const { cwd, now } = await played(log)
    for (const call of calls) {
      const path = call.split(' ')
      const isText = path.some((word) => noJson.has(word)) || call === 'log'
      for (const words of isText ? [path] : [path, [...path, '--json']]) {
        const ran = await runAt(now, cwd, words)
        const text = laidOut(plain(ranText(ran), { cwd }))
        const title = `on ${log}: warrant ${words.join(' ')}`
        blocks.push([path, block(title, path[0] === 'doctor' ? unwrapped(text) : text)])
      }
    }
  }
  return byFirstWord(blocks)
}

export const reading: Subject = { folder: 'ours/reading', record }
