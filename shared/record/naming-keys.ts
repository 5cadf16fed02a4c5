// What an object that people wrote may have where it has a key that there is not: the key that was
// meant, or all that there are. For readers of files; it repeats no values.
import type { z } from 'zod'
import { didYouMean, nearest } from './quote.ts'

/** What others call a key, parted by spaces. */
const alike: Readonly<Record<string, string>> = {
  question: 'message confirmationMessage text prompt ask',
  message: 'question text reason said',
  when: 'if condition expression where cel',
  conditions: 'condition rules checks',
  capabilities: 'tools functions actions commands',
  principals: 'users agents people identities',
  primitives: 'concepts nodes entities',
  argsSchema: 'args schema parameters inputSchema input arguments params',
  safetyClass: 'class safety risk safety_class',
  effect: 'action then decision outcome',
  owner: 'ownedBy user human',
  members: 'people users',
  confirmation: 'confirm approval approver',
  confirmations: 'approvals approvers',
  decideWithinMs: 'timeout timeoutMs expiresInMs',
  uses: 'max limit count times',
  windowMs: 'window per interval periodMs',
  trustedEvidence: 'trusted evidence',
  properties: 'props attributes data',
  relata: 'relations edges links',
  target: 'to node concept',
  description: 'desc summary title',
  id: 'name key',
  expect: 'expected expects result',
  request: 'intent call',
  given: 'setup before context',
}

const listedMax = 12

/** For `safeParse`: of a key that there is not it says which one may be meant. */
export const namingKeys = {
  error: (issue: z.core.$ZodRawIssue): string | undefined => {
    if (issue.code !== 'unrecognized_keys') return undefined
    const known = keysOf(issue.inst)
    if (known === null) return undefined
    const names = issue.keys.map((key) => `\`${key}\``).join(', ')
    const free = known.filter((key) => !Object.hasOwn(issue.input ?? {}, key))
    const meant = [...new Set(issue.keys.flatMap((key) => keysMeant(key, free)))]
    return `no such key: ${names}${meant.length > 0 ? didYouMean(meant) : thereAre(known)}`
  },
}

function keysOf(schema: unknown): readonly string[] | null {
  const shape: unknown = Reflect.get(Object(schema), 'shape')
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : null
}

function keysMeant(key: string, known: readonly string[]): readonly string[] {
  const near = nearest(known, key)
  if (near.length > 0) return near.slice(0, 1)
  const isMeant = ([name, words]: readonly [string, string]): boolean =>
    known.includes(name) && words.split(' ').includes(key)
  return Object.entries(alike)
    .filter(isMeant)
    .map(([name]) => name)
    .slice(0, 1)
}

function thereAre(known: readonly string[]): string {
  if (known.length > listedMax) return '; take it out or fix its name'
  return `; there are ${known.map((name) => `\`${name}\``).join(', ')}`
}
