// Reads the routing test: capabilities of public tools, and goals with the tools right for each.
import { readFileSync } from 'node:fs'
import { Capability } from '#schemas/catalog'

export interface Goal {
  readonly text: string
  /** All of these are needed, and of each any one is right. */
  readonly needed: readonly (readonly string[])[]
}

const files = ['agentdojo', 'mcp', 'openapi', 'growth'] as const

/** In the order in which a catalog grows. */
export function publicCapabilities(): readonly Capability[] {
  return files.flatMap((file) => capabilitiesOf(read(`${file}.txt`)))
}

function capabilitiesOf(lines: readonly string[]): readonly Capability[] {
  let [namespace, title, tags] = ['', '', '']
  const found: Capability[] = []
  for (const line of lines) {
    if (line.startsWith('@')) {
      ;[namespace = '', title = '', tags = ''] = line.slice(1).split('|')
      continue
    }
    const [name = '', description = inWords(name)] = line.split(' = ')
    const id = `${namespace}.${name}`
    const capability = { id, description: `${description}. ${title}.`, tags: tags.split(',') }
    // Its class plays no part in ranking.
    found.push(Capability.parse({ ...capability, safetyClass: 'DESTRUCTIVE' }))
  }
  return found
}

function inWords(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[._-]+/g, ' ')
    .toLowerCase()
}

/** Every other goal is for tuning, the rest for reporting. */
export function goals(): { readonly tuning: readonly Goal[]; readonly heldOut: readonly Goal[] } {
  const all = read('queries.txt').map((line) => {
    const [text = '', right = ''] = line.split(' => ')
    return { text, needed: right.split(',').map((one) => one.split('|')) }
  })
  return {
    tuning: all.filter((_, index) => index % 2 === 0),
    heldOut: all.filter((_, index) => index % 2 === 1),
  }
}

function read(file: string): readonly string[] {
  const text = readFileSync(new URL(`../../../bench/routing/${file}`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}
