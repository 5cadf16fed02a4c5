// What manifests of Kubernetes hold under `data` of a `Secret`, whatever each is called. Linear.
import { matchesIn } from '../matches.ts'
import type { Finding } from '../span.ts'
import { isPlaceholder } from './values.ts'

export const ofSecret = /^["']?secret["']?$/i
export const dataOfSecret: ReadonlySet<string> = new Set(['data', 'stringData'])

const documents = /(?:(?!^---)[^\n]*\n?){1,100000}/gm
const kind = /^[ \t]*kind:[ \t]*["']?secret["']?[ \t]*$/im
const block = /^(?<indent>[ \t]*)(?:data|stringData):[ \t]*$/gm
const member = /^[ \t]*["']?[\w.-]{1,253}["']?:[ \t]*["']?(?<value>[^\s"'#][^"'\n]*?)["']?[ \t]*$/d

export function manifestsIn(text: string): readonly Finding[] {
  if (!/kind:/i.test(text) || !/data:/i.test(text)) return []
  return matchesIn(text, documents).flatMap(({ 0: document, index }) => {
    if (!kind.test(document)) return []
    return matchesIn(document, block).flatMap((match) => {
      const from = match.index + match[0].length + 1
      return membersFrom(document, from, match.groups?.['indent'] ?? '').map(({ start, end }) => {
        return { start: index + start, end: index + end, kind: 'secret' as const }
      })
    })
  })
}

/** The values in the lines that stand deeper than the block, and whole lines below `|` or `>`. */
function membersFrom(text: string, from: number, indent: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  let deeper: string | null = null
  for (let at = from; at < text.length;) {
    const line = text.slice(at, endOfLine(text, at))
    const into = /^[ \t]*/.exec(line)?.[0] ?? ''
    if (line.trim() !== '') {
      if (into.length <= indent.length) break
      if (deeper !== null && into.length > deeper.length) {
        found.push({ start: at + into.length, end: at + line.trimEnd().length })
      } else {
        const match = member.exec(line)
        const [start, end] = match?.indices?.groups?.['value'] ?? [0, 0]
        const value = line.slice(start, end)
        deeper = /^[|>][+-]?[0-9]?$/.test(value) ? into : null
        const isGiven = deeper === null && end > start && !isPlaceholder(value)
        if (isGiven && !value.startsWith('ENC[')) found.push({ start: at + start, end: at + end })
      }
    }
    at += line.length + 1
  }
  return found
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}
