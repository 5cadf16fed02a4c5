// A name that people call by its owner and a word of it: `the repository of tomh with "gpx" in its
// name`. It is the only one of that owner, of all that results show, with such a word.
import { withoutEnd } from '#record/reading/text-end'
import { isBareIn, kindOfValue } from '../kinds.ts'
import { requestIn } from '../naming.ts'
import type { AroundPersons, PersonNamed } from './persons.ts'
import type { SaidParts } from '../said-parts.ts'

const wordMin = 3
const general = /^(?:repo|repos|repository|project|projects|code|the|and|for|with|new|old|my)$/

function wordsOf(name: string): readonly string[] {
  const words = name.split(/[^\p{L}\p{N}]+/u)
  return words.filter((word) => word.length >= wordMin && !general.test(word))
}

export function wordedName<Source extends SaidParts>(
  form: string,
  { sources, own }: Pick<AroundPersons<Source>, 'sources' | 'own'>,
): PersonNamed<Source> | null {
  const [owner = '', name = '', ...more] = form.split('/')
  if (owner === '' || name === '' || more.length > 0) return null
  const spoken = own.flatMap(({ words: { texts, message } }) => {
    const sentences = texts.flatMap((text) => requestIn(text)?.sentences ?? [])
    const named = sentences.filter(({ meant }) => isBareIn(owner, meant))
    return named.map(({ meant }) => ({ message, meant: meant.replaceAll(owner, ' ') }))
  })
  const has = (one: string, meant: string): boolean =>
    wordsOf(one).some((word) => isBareIn(word, meant))
  const said = spoken.find(({ meant }) => has(name, meant))
  if (said === undefined) return null
  const shown = sources
    .filter(({ tool }) => tool !== null)
    .flatMap((source) => {
      return [...source.trusted, ...source.untrusted].flatMap((leaf) => {
        return ownedIn(owner, leaf.text).map((one) => ({ source, leaf, one }))
      })
    })
  const found = shown.find(({ one, leaf }) => {
    return one === name && kindOfValue('name').form(leaf.text) === form
  })
  if (found === undefined || shown.some(({ one }) => one !== name && has(one, said.meant))) {
    return null
  }
  return { source: found.source, leaf: found.leaf, named: said.message, called: owner }
}

/** The names with that owner in a text. */
function ownedIn(owner: string, text: string): readonly string[] {
  const folded = kindOfValue('name').form(text) ?? ''
  const runs = folded.split(/[^\p{L}\p{N}._/-]+/u)
  return runs.flatMap((run) => {
    const [first = '', name = ''] = run.split('/').slice(-2)
    return first === owner && name !== '' ? [withoutEnd(name, /\./)] : []
  })
}
