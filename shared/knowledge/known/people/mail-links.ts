// A link in a mail of someone whom people name: `accept Ann's invitation`. All that they wrote has
// this one link, and it bears their name or leads to where they write from. So a link that someone
// else had put into that mail, or a second mail of a like name, leave it in doubt.
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

export function linkWith<Source extends SaidParts>(
  form: string,
  around: AroundPersons<Source>,
): PersonNamed<Source> | null {
  const mails = mailsIn(around)
  for (const mail of mails) {
    const leaf = mail.leaves.find(({ text }) => isValueIn('url', form, text))
    if (leaf === undefined) continue
    const all = mails.filter(({ from }) => from === mail.from).flatMap(({ leaves }) => leaves)
    const shown = new Set(all.flatMap(({ text }) => linksIn(text)))
    if (shown.size !== 1) continue
    const named = namedBy(mail, form, { ...around, mails })
    if (named !== null) return { source: mail.source, leaf, ...named }
  }
  return null
}

function mailsIn<Source extends SaidParts>({
  sources,
  lists,
}: AroundPersons<Source>): readonly Mail<Source>[] {
  return sources.flatMap((source) => {
    return thingsIn(source, lists(source.tool ?? '')).flatMap((thing) => {
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

interface AroundMails<Source> extends AroundPersons<Source> {
  readonly mails: readonly Mail<Source>[]
}

/** How people's words mean the mail and its link. */
function namedBy<Source extends SaidParts>(
  { thing, from }: Mail<Source>,
  form: string,
  { own, foreign, day, mails }: AroundMails<Source>,
): Pick<PersonNamed<Source>, 'named' | 'called'> | null {
  const [local = '', domain = ''] = from.split('@')
  const isFrom = `.${hostOf(form)}`.endsWith(`.${domain}`)
  const others = new Set(mails.map((mail) => mail.from).filter((one) => one !== from))
  // `ann@x.org` and `office@ann-shop.org`: by the person, or by what the place is called.
  const names = [...namesInAddress(from), ...placesOfAddress(from)]
  for (const { words } of own) {
    const parts = words.texts.flatMap(partsMeant)
    if (!parts.some((part) => links.test(part))) continue
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
