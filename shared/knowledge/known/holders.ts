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

/**
 * The result of a call that made the folder in which a path is, and where its argument stands; or
 * that put something into the folder, if people named one around it.
 */
export function madeIn<Source extends SaidParts>(
  form: string,
  made: readonly MadeBy[],
  { sources, isNamed }: { readonly sources: readonly Source[]; readonly isNamed: () => boolean },
): Made<Source> | null {
  const own = withoutEnd(form, /\//)
  const held = placesAbove('path', form)
  const isHeldBy = (place: string): boolean => {
    return place === own || held.some(({ name }) => name === rooted(place))
  }
  for (const by of made) {
    for (const source of sources) {
      // Of a sender who is not believed nothing counts, nor of what came without its value.
      if (source.tool !== by.tool || !source.message.counts) continue
      if (source.digests !== undefined) continue
      const place = placeMadeBy(by, source, own)
      if (place === null) continue
      if (isHeldBy(place) || (rooted(place).startsWith(`${own}/`) && isNamed())) {
        return { source, pointer: `/payload/args${by.arg}` }
      }
    }
  }
  return null
}

/** What the call made or put there. */
function placeMadeBy(
  { arg, name, shown }: MadeBy,
  { args, trusted }: SaidParts,
  form: string,
): string | null {
  const path = kindOfValue('path')
  const folder = withoutEnd(path.form(pointedText(args, arg) ?? '') ?? '', /\//)
  if (folder === '') return null
  if (shown === true) {
    const last = form.slice(form.lastIndexOf('/') + 1)
    // Of what it is called the folder around it can be known without it.
    return trusted.some(({ text }) => path.isIn(last, text)) ? `${folder}/${last}` : null
  }
  if (name === undefined) return folder
  const last = pointedText(args, name)?.split('/').at(-1) ?? ''
  if (last === '') return null
  return folder.endsWith(`/${last}`) ? folder : `${folder}/${last}`
}

function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}
