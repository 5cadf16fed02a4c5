// The condition of a routine in words, for the person who is about to sign it. They come from that
// condition alone, and one that is written in any other way has none.
import { z } from 'zod'
import { parseJson } from '#record/json'
import { visible } from '#record/quote'
import { conceptWords } from './concept-words.ts'
import { prefixOfPattern } from './prefix.ts'

const text = String.raw`"(?:[^"\\]|\\.)*"`
const texts = String.raw`\[${text}(?:,${text})*\]`
const among = new RegExp(String.raw`^grounding\.concepts\.all\(one, one in (${texts})\)`, 'u')
// As `routineOf` writes what later calls have in common, and what they lack.
const kept = new RegExp(String.raw`^ && args\.([a-z]+) == (${text}|${texts})`, 'u')
const begun = new RegExp(String.raw`^ && args\.command\.matches\((${text})\)`, 'u')
const lacked = /^ && !\("(?:cwd|root)" in args\)/u

/** Null for a condition that is no routine's. */
export function routineWords(when: string): string | null {
  const head = among.exec(when)
  const concepts = textsOf(head?.[1])
  const members = head === null ? null : membersAfter(when.slice(head[0].length))
  if (concepts === null || members === null) return null
  const { cwd, root, ...named } = members
  const [what, ...others] = Object.entries(named).map(([name, values]) => sameText(name, values))
  if (others.length > 0 || (cwd ?? root)?.length === 0 || what === null) return null
  const [folder, project] = [cwd, root].map((one) => (one === undefined ? null : shown(one)))
  const there = folder === null || folder === project ? '' : `, in the folder ${folder}`
  const where = project === null ? there : `${there}, in the project ${project}`
  const most = `does no more than this: ${mostText(concepts)}`
  return what === undefined
    ? `every call${where} that ${most}`
    : `only ${what}${where}, and only while it ${most}`
}

type Members = Readonly<Record<string, readonly string[]>>

/** Null where anything else stands there. */
function membersAfter(rest: string): Members | null {
  const found = new Map<string, readonly string[]>()
  let left = rest
  while (left !== '') {
    const one = kept.exec(left)
    const pattern = begun.exec(left)
    const part = one ?? pattern ?? lacked.exec(left)
    if (part === null) return null
    const name = pattern === null ? (one?.[1] ?? '') : 'prefix'
    const values = pattern === null ? textsOf(one?.[2] ?? '[]') : prefixesOf(pattern[1])
    if (values === null || found.has(name)) return null
    if (name !== '') found.set(name, values)
    left = left.slice(part[0].length)
  }
  return Object.fromEntries(found)
}

const Texts = z.union([z.array(z.string()), z.string().transform((one) => [one])])

function textsOf(json: string | undefined): readonly string[] | null {
  if (json === undefined) return null
  try {
    return Texts.parse(parseJson(json))
  } catch {
    return null
  }
}

function prefixesOf(json: string | undefined): readonly string[] | null {
  const [pattern = ''] = textsOf(json) ?? []
  const prefix = prefixOfPattern(pattern)
  return prefix === null ? null : [prefix]
}

/** Null for what no routine says to be the same. */
function sameText(name: string, values: readonly string[]): string | null {
  if (name === 'prefix') {
    return `commands that begin with “${shown(values)}” and go on with options and paths alone`
  }
  if (name === 'paths') return `the very paths ${shown(values)}`
  const word = { command: 'command', url: 'address', query: 'search' }[name]
  if (word === undefined || values.length === 0) return null
  return `the very ${word} “${shown(values)}”`
}

function shown(values: readonly string[]): string {
  return values.map(visible).join(', ')
}

function mostText(concepts: readonly string[]): string {
  const said = concepts.filter((one) => one !== 'shell.command' && one !== 'harmless')
  return (said.length > 0 ? said : concepts).map((one) => `it ${conceptWords(one)}`).join('; ')
}
