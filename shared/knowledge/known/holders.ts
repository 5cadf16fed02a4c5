// What holds a value, and may be known in its place: the folders above a path, nearest first, the
// host of an address, and a folder that a call has made.
import { withoutEnd } from '#record/reading/text-end'
import type { MadeBy, ValueKind } from '#schemas/values'
import { kindOfValue } from './kinds.ts'
import { pointedText } from './pointer.ts'
import type { SaidParts } from './said-parts.ts'
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
  // `/notes/` is the folder `/notes`.
  const folded = form.endsWith('/') ? parts : parts.slice(0, -1)
  const above = folded.map((_, index) => parts.slice(0, index + 1))
  return above
    .toReversed()
    .slice(0, foldersMax)
    .map((folders) => {
      const name = folders.join('/')
      const spellings = [`/${name}`, `/${name}/`, `${name}/`, ...(folders.length > 1 ? [name] : [])]
      return { name: `/${name}`, isIn: (text) => spellings.some((each) => path.isIn(each, text)) }
    })
}

interface Made<Source> {
  readonly source: Source
  readonly pointer: string
}

/** The result of a call that made the folder in which a path is, and where its argument stands. */
export function madeIn<Source extends SaidParts>(
  form: string,
  made: readonly MadeBy[],
  sources: readonly Source[],
): Made<Source> | null {
  const held = placesAbove('path', form)
  const isHeldBy = (folder: string): boolean => {
    const own = withoutEnd(kindOfValue('path').form(folder) ?? '', /\//)
    if (own === '') return false
    return own === withoutEnd(form, /\//) || held.some(({ name }) => name === rooted(own))
  }
  for (const { tool, arg, name } of made) {
    for (const source of sources) {
      // Of a sender who is not believed nothing counts, nor of what came without its value.
      if (source.tool !== tool || !source.message.counts || source.digests !== undefined) continue
      const folder = pointedText(source.args, arg)
      if (folder === undefined) continue
      const last =
        name === undefined ? undefined : pointedText(source.args, name)?.split('/').at(-1)
      if (name !== undefined && (last === undefined || last === '')) continue
      const bare = withoutEnd(folder, /\//)
      const isItself = last === undefined || bare.endsWith(`/${last}`)
      if (isHeldBy(isItself ? bare : `${bare}/${last}`)) {
        return { source, pointer: `/payload/args${arg}` }
      }
    }
  }
  return null
}

function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}
