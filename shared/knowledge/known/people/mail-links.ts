// A link in a mail of someone whom people name: `accept Ann's invitation`. All that they wrote has
// this one link, and it bears their name or leads to where they write from. So a link that someone
// else had put into that mail, or a second mail of a like name, leave it in doubt. So it is with a
// name and its owner, as `ann/notes`: `star the repository that Ann's mail is about`.
import type { ValueKind } from '#schemas/values'
import { isMeant, placesOfAddress, thingsIn, type ThingListed } from '../listed-things.ts'
import { isValueIn, kindOfValue, valuesInText } from '../kinds.ts'
import { partsMeant } from '../naming.ts'
import type { Leaf, SaidParts } from '../said-parts.ts'
import { hostOf } from '../url.ts'
import { isNamed, namesInAddress, type AroundPersons, type PersonNamed } from './persons.ts'

interface Mail<Source> {
  readonly source: Source
  readonly thing: ThingListed
  readonly from: string
  readonly leaves: readonly Leaf[]
}

const links = new RegExp(
  '\\b(?:link(?:s|ed)?|urls?|survey|invit(?:ation|e)s?|accept|confirm(?:ation)?|join|rsvp|sign up' +
    '|activate|page|meeting address)\\b',
  'i',
)

/** Words by which people speak of what has such a name. */
const things = new RegExp(
  '\\b(?:repo(?:s|sitory|sitories)?|projects?|stars?|clone|fork|crate|library|package)\\b',
  'i',
)

export function linkWith<Source extends SaidParts>(
  { kind, form }: { readonly kind: ValueKind; readonly form: string },
  around: AroundPersons<Source>,
): PersonNamed<Source> | null {
  const mails = mailsIn(around)
  const isLink = kind === 'url'
  for (const mail of mails) {
    const all = mails.filter(({ from }) => from === mail.from).flatMap(({ leaves }) => leaves)
    const shown = new Set(all.flatMap(({ text }) => (isLink ? linksIn(text) : namesIn(text))))
    const [only = ''] = shown
    if (shown.size !== 1 || (only !== form && (isLink || !only.endsWith(`/${form}`)))) continue
    const leaf = mail.leaves.find(({ text }) => {
      return isLink ? isValueIn('url', form, text) : namesIn(text).includes(only)
    })
    if (leaf === undefined) continue
    const named = namedBy(mail, form, { ...around, mails, isLink })
    if (named !== null) return { source: mail.source, leaf, ...named }
  }
  return null
}

function mailsIn<Source extends SaidParts>({
  sources,
  lists,
}: AroundPersons<Source>): readonly Mail<Source>[] {
  return sources.flatMap((source) => {
    const { trusted, listed = trusted } = source
    return thingsIn({ ...source, trusted: listed }, lists(source.tool ?? '')).flatMap((thing) => {
      const from = thing.of.flatMap((one) => kindOfValue('email').form(one) ?? [])[0]
      if (from === undefined) return []
      const start = thing.pointer.slice(0, thing.pointer.lastIndexOf('/') + 1)
      const leaves = [...source.trusted, ...source.untrusted].filter(({ pointer }) => {
        return pointer.startsWith(start)
      })
      return { source, thing, from, leaves }
    })
  })
}

function linksIn(text: string): readonly string[] {
  return valuesInText('url', text).flatMap((one) => kindOfValue('url').form(one) ?? [])
}

const ownedName = new RegExp(
  'github\\.com/([\\w-]+/[\\w.-]*\\w)|(?<![\\w./@:-])([a-z][\\w-]*/[\\w.-]*\\w)(?![\\w/])',
  'gi',
)

/** Each name with its owner, by itself or in the address of a repository. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(ownedName)].flatMap(([, linked, written = '']) => {
    return kindOfValue('name').form(linked ?? written) ?? []
  })
}

interface AroundMails<Source> extends AroundPersons<Source> {
  readonly mails: readonly Mail<Source>[]
  /** A link is meant, and no name. */
  readonly isLink: boolean
}

/** How people's words mean the mail and its link. */
function namedBy<Source extends SaidParts>(
  { thing, from }: Mail<Source>,
  form: string,
  { own, foreign, day, mails, isLink }: AroundMails<Source>,
): Pick<PersonNamed<Source>, 'named' | 'called'> | null {
  const [local = '', domain = ''] = from.split('@')
  const isFrom = !isLink || `.${hostOf(form)}`.endsWith(`.${domain}`)
  const others = new Set(mails.map((mail) => mail.from).filter((one) => one !== from))
  // `ann@x.org` and `office@ann-shop.org`: by the person, or by what the place is called.
  const all = [...namesInAddress(from), ...placesOfAddress(from)]
  const names = all.filter((one) => !/^(?:e?mails?|post|inbox)$/.test(one))
  for (const { words } of own) {
    const parts = words.texts.flatMap(partsMeant)
    if (!parts.some((part) => (isLink ? links : things).test(part))) continue
    const called = names.find((name) => {
      const isTheirs = isFrom || (local.includes(name) && form.toLowerCase().includes(name))
      const isAlone = ![...others].some((one) => one.includes(name))
      return isTheirs && isAlone && words.texts.some((text) => isNamed(name, from, text))
    })
    if (called !== undefined) return { named: words.message, called }
    const isIt = isFrom && isMeant(thing, words, { foreign: foreign(), today: day() })
    if (isIt) return { named: words.message, called: thing.called[0] ?? from }
  }
  return null
}
