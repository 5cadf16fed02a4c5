// What holds a value, and may be known in its place: the folders above a path, nearest first, and
// the host of an address.
import type { ValueKind } from '#schemas/values'
import { kindOfValue } from './kinds.ts'
import { hostOf, isHostIn } from './url.ts'

export interface Holder {
  readonly name: string
  readonly isIn: (text: string) => boolean
}

const foldersMax = 32

export function placesAbove(kind: ValueKind, form: string): readonly Holder[] {
  if (kind === 'url') {
    const name = hostOf(form)
    return [{ name, isIn: (text) => isHostIn(name, text) }]
  }
  return kind === 'path' ? foldersAbove(form) : []
}

// Written from the root or not, with or without a slash at its end. One word alone is no folder.
function foldersAbove(form: string): readonly Holder[] {
  const parts = form.split('/').filter((part) => part !== '')
  // Where such a path leads is not seen from its text.
  if (parts.some((part) => part === '.' || part === '..' || part.startsWith('~'))) return []
  const path = kindOfValue('path')
  const above = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1))
  return above
    .toReversed()
    .slice(0, foldersMax)
    .map((folders) => {
      const name = folders.join('/')
      const spellings = [`/${name}`, `/${name}/`, `${name}/`, ...(folders.length > 1 ? [name] : [])]
      return { name: `/${name}`, isIn: (text) => spellings.some((each) => path.isIn(each, text)) }
    })
}
