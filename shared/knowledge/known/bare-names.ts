// Values that people name without what stands before them: a name without its owner, as `notes`
// for `ann/notes`, and a file without its folder. It is the only one that can be meant, or they
// name the owner or the folder beside it; as soon as anything shows another of that name, no one
// can know.
import { withoutEnd } from '#record/reading/text-end'
import type { ValueKind } from '#schemas/values'
import { lower } from './edges.ts'
import { placesAbove } from './holders.ts'
import { isBareIn, kindOfValue, letters } from './kinds.ts'
import { partsMeant, requestIn } from './naming.ts'
import { pointedText } from './pointer.ts'
import type { Leaf, SaidParts } from './said-parts.ts'
import { fileSetsIn, filesKeptIn, filesLeftOutIn, type FileSet } from './sentences/file-sets.ts'

export interface BareName<Source> {
  readonly source: Source
  readonly leaf: Leaf
  readonly bare: string
}

/** What a person may write in place of a value of which a part can be left out. */
export interface BareForm {
  readonly text: string
  /** Whether it stands in people's own words. */
  readonly isIn: (text: string) => boolean
  /** Whether what may be left out stands there, too. */
  readonly isWholeIn: (sentence: string) => boolean
  /** All that ends so in a text, with what stands before it. */
  readonly wholes: (text: string) => readonly string[]
}

export function bareFormOf(kind: ValueKind, form: string): BareForm | null {
  if (kind === 'id') return commentOf(form)
  return kind === 'path' ? fileOf(form) : nameOf(form)
}

/** Where people's own words hold it without that part, if this can mean only that one. */
export function bareIn<Source extends SaidParts>(
  { kind, form }: { readonly kind: ValueKind; readonly form: string },
  { sources, attributes, folder }: Around<Source>,
): BareName<Source> | null {
  const bare = bareFormOf(kind, form)
  if (bare === null) return null
  const value = kindOfValue(kind)
  const isOwn =
    kind === 'name' && attributes.some(({ value: own }) => value.form(own) === form.split('/')[0])
  const isListed = sources.some(({ tool, trusted, listed = trusted }) => {
    return tool !== null && listed.some(({ text }) => value.isIn(form, text))
  })
  const folders = kind === 'path' ? foldersWith(bare.text, sources, folder) : []
  const isInFolder = folders.some((one) => `${one}/${bare.text}` === form)
  if (folders.some((one) => `${one}/${bare.text}` !== form)) return null
  // Who writes all of a comment means no other key with words of it.
  const isAll =
    kind === 'id' &&
    sources.some(({ tool, trusted }) => {
      return tool === null && trusted.some(({ text }) => isBareIn(lower(bare.text), text))
    })
  for (const { trusted, untrusted } of isAll ? [] : sources) {
    for (const { text } of [...trusted, ...untrusted]) {
      if (bare.wholes(text).some((one) => one !== form)) return null
    }
  }
  const isMeant = (text: string): boolean => {
    if (isOwn || isListed || isInFolder) return bare.isIn(text)
    const { sentences = [] } = requestIn(text) ?? {}
    return sentences.some(({ meant }) => bare.isIn(meant) && bare.isWholeIn(meant))
  }
  for (const source of sources) {
    const leaf = source.tool === null && source.trusted.find(({ text }) => isMeant(text))
    if (leaf !== false && leaf !== undefined) return { source, leaf, bare: bare.text }
  }
  return null
}

interface Around<Source> {
  readonly sources: readonly Source[]
  readonly attributes: readonly { readonly value: string }[]
  /** The argument that names the folder whose files results of that tool list. */
  readonly folder: (tool: string) => string | null
}

/** Where people's own words mean all files of a folder, and a result lists this one in it. */
export function inFileSet<Source extends SaidParts>(
  form: string,
  { sources, folder }: Pick<Around<Source>, 'sources' | 'folder'>,
): FileOfSet<Source> | null {
  const at = form.lastIndexOf('/')
  const name = form.slice(at + 1)
  const isOf = (set: FileSet): boolean => set.folder === form.slice(0, at) && set.has(name)
  for (const source of sources.filter(({ tool }) => tool === null)) {
    for (const leaf of source.trusted) {
      const sets = fileSetsIn(leaf.text).filter(isOf)
      const [first] = sets
      if (first === undefined || !foldersWith(name, sources, folder).includes(first.folder))
        continue
      return { source, leaf, folder: first.folder, clauses: sets.map(({ clause }) => clause) }
    }
  }
  return null
}

const folderWords = 'folder|directory|repo|repository|project|checkout|clone'

/**
 * A folder above a path that people named, which they call so or by its last part (`fix
 * /desk/notes/a.txt and push the folder`), or a file beside one, by its name.
 */
export function aroundNamed<Source extends SaidParts>(
  form: string,
  sources: readonly Source[],
): BareName<Source> | null {
  const at = form.lastIndexOf('/')
  const [folder, last] = [form.slice(0, at), form.slice(at + 1)]
  if (folder === '' || last === '' || !form.startsWith('/') || form.includes('..')) return null
  const spoken = new RegExp(`\\b(?:the|that|whole|my) (?:whole )?(?:${folderWords})\\b`, 'i')
  for (const source of sources.filter(({ tool }) => tool === null)) {
    const leaf = source.trusted.find(({ text }) => {
      const parts = partsMeant(text)
      const named = parts.flatMap(pathsIn).filter((one) => one.startsWith('/'))
      const words = parts.map((part) => part.replaceAll(/\S*\/\S*/g, ' '))
      const isCalled = words.some((part) => isBareIn(lower(last), part))
      const isAbove = named.some((one) => one.startsWith(`${form}/`))
      if (isAbove) return isCalled || words.some((part) => spoken.test(part))
      return isCalled && fileName.test(last) && named.some((one) => isBeside(one, folder))
    })
    if (leaf !== undefined) return { source, leaf, bare: last }
  }
  return null
}

/** `VERSION` is a file as well. */
function isBeside(path: string, folder: string): boolean {
  const name = path.slice(folder.length + 1)
  return (
    path.startsWith(`${folder}/`) &&
    /^[^/]+$/.test(name) &&
    (fileName.test(name) || /^[A-Z]{4,}$/.test(name))
  )
}

/** Whether people's own words say that the file is to be kept. */
export function isKept(form: string, sources: readonly SaidParts[]): boolean {
  return isNamedBy(filesKeptIn, form, sources)
}

/** Whether people's own words leave the file out of all that they mean. */
export function isLeftOut(form: string, sources: readonly SaidParts[]): boolean {
  return isNamedBy(filesLeftOutIn, form, sources)
}

function isNamedBy(
  namesIn: (text: string) => readonly string[],
  form: string,
  sources: readonly SaidParts[],
): boolean {
  const name = form.slice(form.lastIndexOf('/') + 1).toLowerCase()
  return sources.some(({ tool, trusted }) => {
    return tool === null && trusted.some(({ text }) => namesIn(text).includes(name))
  })
}

interface FileOfSet<Source> {
  readonly source: Source
  readonly leaf: Leaf
  readonly folder: string
  /** The words that mean the set. */
  readonly clauses: readonly string[]
}

/** The folders of which a result lists a file that is called so. */
function foldersWith(
  file: string,
  sources: readonly SaidParts[],
  folderOf: (tool: string) => string | null,
): readonly string[] {
  return sources.flatMap(({ tool, args, trusted, listed = trusted }) => {
    const arg = folderOf(tool ?? '')
    const folder = arg === null ? undefined : pointedText(args, arg)
    if (folder === undefined || folder.includes('..')) return []
    const isListed = listed.some(({ text }) => kindOfValue('path').isIn(file, text))
    return isListed ? `/${withoutEnd(folder, /\//).replace(/^\/+/, '')}` : []
  })
}

/** Who owns what is called so, as far as results show it; the owner that it has itself. */
export function namedOwners(form: string, sources: readonly SaidParts[]): readonly string[] {
  const [owner = '', ...more] = form.split('/')
  if (more.length === 1) return [owner]
  const wholes = sources.flatMap(({ trusted, untrusted, tool }) => {
    return tool === null
      ? []
      : [...trusted, ...untrusted].flatMap(({ text }) => ownedIn(form, text))
  })
  return [...new Set(wholes.map((whole) => whole.split('/')[0] ?? ''))]
}

function nameOf(form: string): BareForm | null {
  const [owner = '', text = '', ...more] = form.split('/')
  if (owner === '' || text === '' || more.length > 0) return null
  return {
    text,
    isIn: (words) => isBareIn(text, words),
    isWholeIn: (sentence) => isBareIn(owner, sentence),
    wholes: (words) => ownedIn(text, words),
  }
}

const key = /(?:^|\s)(\S+ AAAA[A-Za-z0-9+/=]{4,} (\S.*?))\s*$/gm

/** A key by the comment at its end: `ssh-rsa AAAAB3Nz… ann@laptop` as `the key of the laptop`. */
function commentOf(form: string): BareForm | null {
  const [, , text = ''] = [...form.matchAll(key)][0] ?? []
  if (text === '') return null
  const words = wordsOfComment(text)
  return {
    text,
    isIn: (said) => [lower(text), ...words].some((word) => isBareIn(word, said)),
    isWholeIn: () => false,
    wholes: (said) => {
      const keys = [...said.matchAll(key)]
      return keys.flatMap(([, whole = '', comment = '']) => {
        const isAlike = wordsOfComment(comment).some((one) => {
          return words.some((word) => one.includes(word) || word.includes(one))
        })
        return isAlike && !whole.endsWith(form) ? [whole] : []
      })
    },
  }
}

/** Before the `@` it says whose key it is, and after it on which machine. */
function wordsOfComment(comment: string): readonly string[] {
  const at = lower(comment).indexOf('@')
  const parts = [lower(comment).slice(0, Math.max(0, at)), lower(comment).slice(at + 1)]
  return parts
    .flatMap((part) => [part, ...part.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length > 3)
}

/** Everything of that name with an owner before it. */
function ownedIn(bare: string, text: string): readonly string[] {
  const folded = kindOfValue('name').form(text) ?? ''
  if (!folded.includes(`/${bare}`)) return []
  return folded.split(/[\s,;:"'`()[\]{}<>|]+/).flatMap((run) => {
    const parts = withoutEnd(run, /[.!?]/).split('/')
    // A path has no owner; of `https://host/ann/notes` the part from `//` on is left.
    if (parts[0] === '' && parts[1] !== '') return []
    const at = parts.findIndex((part, index) => index > 0 && part.replace(/\.git$/, '') === bare)
    return at === -1 ? [] : `${parts[at - 1] ?? ''}/${bare}`
  })
}

// A word alone is a word; a file is called by more.
const fileName = new RegExp(`[${letters}][._-][${letters}]`)

function fileOf(form: string): BareForm | null {
  const [folder] = placesAbove('path', form)
  const text = form.split('/').at(-1) ?? ''
  if (folder === undefined || /\s/.test(text) || !fileName.test(text)) return null
  return {
    text,
    isIn: (words) => kindOfValue('path').isIn(text, words),
    // With a second folder in the sentence, it could be in either.
    isWholeIn: (sentence) => folder.isIn(sentence) && pathsIn(sentence).length === 1,
    wholes: (words) => pathsIn(words).filter((one) => one.split('/').at(-1) === text),
  }
}

function pathsIn(text: string): readonly string[] {
  const runs = text.normalize('NFC').split(/[\s,;"'`()[\]{}<>|]+/)
  return runs.map((run) => withoutEnd(run, /[.!?:]/)).filter((run) => run.includes('/'))
}
