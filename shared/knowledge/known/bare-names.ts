// Names with an owner, as `ann/notes`: people leave the owner out. It is theirs then, or the only
// one that a list shows; as soon as anything shows another of that name, no one can know.
import { withoutEnd } from '#record/reading/text-end'
import { isBareIn, kindOfValue } from './kinds.ts'
import type { Leaf, SaidParts } from './said-parts.ts'

export interface BareName<Source> {
  readonly source: Source
  readonly leaf: Leaf
  readonly bare: string
}

/** Where people's own words hold the name without its owner, if that can mean only this one. */
export function bareIn<Source extends SaidParts>(
  form: string,
  sources: readonly Source[],
  attributes: readonly { readonly value: string }[],
): BareName<Source> | null {
  const [owner = '', bare = '', ...more] = form.split('/')
  if (owner === '' || bare === '' || more.length > 0) return null
  const name = kindOfValue('name')
  const results = sources.filter(({ tool }) => tool !== null)
  const isOwn = attributes.some(({ value }) => name.form(value) === owner)
  const isListed = results.some(({ trusted, listed = trusted }) => {
    return listed.some(({ text }) => name.isIn(form, text))
  })
  if (!isOwn && !isListed) return null
  for (const { trusted, untrusted } of sources) {
    for (const { text } of [...trusted, ...untrusted]) {
      if (ownedIn(bare, text).some((one) => one !== form)) return null
    }
  }
  for (const source of sources) {
    const leaf = source.tool === null && source.trusted.find(({ text }) => isBareIn(bare, text))
    if (leaf !== false && leaf !== undefined) return { source, leaf, bare }
  }
  return null
}

/** Everything of that name with an owner before it. */
function ownedIn(bare: string, text: string): readonly string[] {
  const folded = kindOfValue('name').form(text) ?? ''
  if (!folded.includes(`/${bare}`)) return []
  return folded.split(/[\s,;:"'`()[\]{}<>|]+/).flatMap((run) => {
    const parts = withoutEnd(run, /[.!?]/).split('/')
    const at = parts.findIndex((part, index) => index > 0 && part.replace(/\.git$/, '') === bare)
    return at === -1 ? [] : `${parts[at - 1] ?? ''}/${bare}`
  })
}
