// Whose address it is: people name a person, and an address has that name. The owner's own notes of
// persons show it, or a list shows that the person wrote from it and people speak of what they
// wrote. As soon as anything shows another address with that name, no one can know which is meant.
import type { ListedThing } from '#schemas/values'
import { pointerToken } from '#record/pointer-token'
import { isMeant, thingsIn, type ThingListed } from '../listed-things.ts'
import { isValueIn, kindOfValue, letters, valuesInText } from '../kinds.ts'
import { pointedText } from '../pointer.ts'
import { ownWordsIn, saysAll, titleWordsIn, type OwnWords } from '../own-words.ts'
import { ownNotesIn, type AroundNotes } from './named-notes.ts'
import { imperatives, openings } from '../../grounding/moods.ts'
import { excepting, partsMeant } from '../naming.ts'
import { resultPointer, type Leaf, type SaidParts } from '../said-parts.ts'

export interface PersonNamed<Source> {
  readonly source: Source
  readonly leaf: Leaf
  /** The message in which a person names them, and how. */
  readonly named: string
  readonly called: string
}

export interface AroundPersons<Source> extends AroundNotes<Source> {
  readonly ownForms: readonly string[]
  readonly lists: (tool: string) => readonly ListedThing[]
  /** The things of which others can have written what they are called. */
  readonly foreign: () => readonly ThingListed[]
  /** The one day that results show as today. */
  readonly day: () => string | null
}

/** Where an address is shown as that of someone whom people name; null where that is in doubt. */
export function personWith<Source extends SaidParts>(
  form: string,
  by: 'noted' | 'wrote',
  around: AroundPersons<Source>,
): PersonNamed<Source> | null {
  const { sources, own } = around
  const mine = ownAddresses(around)
  const shown = new Set(sources.flatMap(addressesIn).filter((one) => !mine.has(one)))
  for (const name of namesInAddress(form)) {
    const isOther = (one: string): boolean => one !== form && localOf(one).includes(name)
    if ([...shown].some(isOther)) continue
    const speaking = own.find(({ words }) => words.texts.some((text) => isNamed(name, form, text)))
    if (speaking === undefined) continue
    const found =
      notedIn(form, name, around) ?? (by === 'wrote' ? wroteIn(form, name, around) : null)
    if (found !== null) return { ...found, named: speaking.words.message, called: name }
  }
  if (by === 'noted') return lookedUp(form, around)
  return lookedUp(form, around) ?? senderWith(form, around) ?? guestWith(form, mine, around)
}

function ownAddresses({
  ownForms,
}: Pick<AroundPersons<unknown>, 'ownForms'>): ReadonlySet<string | null> {
  return new Set(ownForms.map((one) => kindOfValue('email').form(one)))
}

/** Where a platform shows the address of an account that people named, and that was looked up. */
function lookedUp<Source extends SaidParts>(
  form: string,
  { sources, own, lists }: AroundPersons<Source>,
): PersonNamed<Source> | null {
  for (const source of sources) {
    for (const { at, id, query } of lists(source.tool ?? '')) {
      const called = query === undefined ? undefined : pointedText(source.args, query)
      if (at !== '' || called === undefined) continue
      const leaf = [...source.trusted, ...source.untrusted].find(({ pointer, text }) => {
        const isIts = pointer === `${resultPointer}/${pointerToken(id)}`
        return isIts && kindOfValue('email').form(text) === form
      })
      const name = kindOfValue('name').form(called)
      const speaking = own.find(({ words: { texts } }) => {
        return (
          name !== null && texts.flatMap(partsMeant).some((part) => isValueIn('name', name, part))
        )
      })
      if (leaf === undefined || speaking === undefined) continue
      return { source, leaf, named: speaking.words.message, called }
    }
  }
  return null
}

const informs =
  't[e]ll|inform|let|write|e-?mail|mail|remind|invite|send|notify|ask|thank|share|answer|message'
const everyOne =
  'participants?|attendees?|guests|invitees|everyone|every[b]ody|all (?:who|the people)' +
  '|(?:people|those|all) (?:who|that)'
const guests = new RegExp(
  `\\b(?:${informs})\\b.*\\b(?:${everyOne}|the others|all (?:of them|others|the others)|them)\\b`,
  'i',
)
/** `Every one who is invited should get the list`. */
const receives = new RegExp(
  `\\b(?:${everyOne})\\b.*\\b(?:should|must|shall|needs? to|ha(?:s|ve) to) ` +
    '(?:get|receive|have|know|learn|be (?:t[o]ld|informed|invited|notified|reminded|sent))\\b',
  'i',
)
const guest = new RegExp(`\\b(?:${informs})\\b.*\\b(?:h(?:im|er))\\b`, 'i')
const gatherings = new RegExp(
  '\\b(?:event|meeting|appointment|calendar|part|join(?:ed)?|attend\\w*|participants?|guests' +
    '|invited|move|reschedule|postpone|cancel|shift)\\b',
  'i',
)

/** Not all of them: whom that leaves, no one can know from addresses. */
const fewer = new RegExp(
  `\\b(?:but(?! (?:(?:${openings}|${imperatives}|i|we|it|that)\\b|i['’]))|except\\w*|only` +
    `|${excepting}|(?:leave|keep) (?:[^ ]+ ){0,4}out)\\b`,
  'i',
)

/** Whether words that mean several people except no one, and not who has that address. */
function meansAll(form: string, texts: readonly string[]): boolean {
  return !texts.some((text) => fewer.test(text)) && !isSingledOut(form, texts)
}

function isSingledOut(form: string, texts: readonly string[]): boolean {
  const count = (name: string, all: readonly string[]): number => {
    const named = new RegExp(`(?<![${letters}])${name}(?![${letters}])`, 'gi')
    return all.reduce((sum, text) => sum + [...text.matchAll(named)].length, 0)
  }
  const parts = texts.flatMap(partsMeant)
  return namesInAddress(form).some((name) => count(name, texts) > count(name, parts))
}

const sender = new RegExp(`\\b(?:${informs}|reply|respond)\\b.*\\b(?:sender|author)\\b`, 'i')

/** Where a mail is from it that people named, and they want its sender written to. */
function senderWith<Source extends SaidParts>(
  form: string,
  { sources, own, lists, foreign, day }: AroundPersons<Source>,
): PersonNamed<Source> | null {
  for (const source of sources) {
    for (const mail of thingsIn(source, lists(source.tool ?? ''))) {
      if (!mail.of.some((one) => kindOfValue('email').form(one) === form)) continue
      const speaking = own.find(({ words }) => {
        const isWanted = words.texts.flatMap(partsMeant).some((part) => sender.test(part))
        return isWanted && isMeant(mail, words, { foreign: foreign(), today: day() })
      })
      if (speaking === undefined) continue
      const leaf = { pointer: mail.pointer, text: form }
      return { source, leaf, named: speaking.words.message, called: mail.called[0] ?? form }
    }
  }
  return null
}

/** Where it takes part in an event that people named, and they want those written to. */
function guestWith<Source extends SaidParts>(
  form: string,
  mine: ReadonlySet<string | null>,
  { sources, own, lists, foreign, day }: AroundPersons<Source>,
): PersonNamed<Source> | null {
  const isWanted = (event: ThingListed, { texts }: OwnWords): boolean => {
    const others = event.with.filter((one) => !mine.has(kindOfValue('email').form(one)))
    const about = texts.join('\n')
    const isEvent =
      gatherings.test(about) ||
      event.called.some((one) => saysAll(titleWordsIn(one), ownWordsIn('', texts)))
    return (
      isEvent &&
      texts.flatMap(partsMeant).some((part) => {
        const isOfAll = guests.test(part) || receives.test(part)
        return isOfAll || (others.length === 1 && guest.test(part))
      })
    )
  }
  for (const source of sources) {
    for (const event of thingsIn(source, lists(source.tool ?? ''))) {
      const address = event.with.find((one) => kindOfValue('email').form(one) === form)
      if (address === undefined) continue
      const speaking = own.find(({ words }) => {
        const around = { foreign: foreign(), today: day() }
        const isAll = meansAll(form, words.texts)
        return isAll && isWanted(event, words) && isMeant(event, words, around)
      })
      if (speaking === undefined) continue
      const leaf = { pointer: event.pointer, text: address }
      return { source, leaf, named: speaking.words.message, called: event.called[0] ?? address }
    }
  }
  return null
}

function localOf(email: string): string {
  return email.slice(0, email.indexOf('@'))
}

/** What addresses of posts and machines are called. */
const posts: ReadonlySet<string> = new Set(
  (
    'account accounts admin alert alerts all billing contact customer deals desk finance hello ' +
    'help info invoice invoices job jobs mail mailer news newsletter noreply notification office ' +
    'order orders payment payments postmaster press promo reply robot sales security service ' +
    'shop staff support team update updates user webmaster'
  ).split(' '),
)
const nameMin = 3

/** The words of an address before its `@` that can be names of a person. */
export function namesInAddress(email: string): readonly string[] {
  const words = localOf(email).split(/[^a-z\u00c0-\u1fff]+/)
  return words.filter((word) => word.length >= nameMin && !posts.has(word))
}

function addressesIn({ trusted, untrusted, tool }: SaidParts): readonly string[] {
  if (tool === null) return []
  return [...trusted, ...untrusted].flatMap(({ text }) => {
    return valuesInText('email', text).flatMap((one) => kindOfValue('email').form(one) ?? [])
  })
}

/** They stand before a name and are none. */
const titles = '(?:Mrs?|Ms|Miss|Dr|Prof|Professor|Doctor|Aunt|Uncle|Coach) $'

/** Whether a text names the person, and with no further name that the address lacks. */
export function isNamed(name: string, form: string, text: string): boolean {
  const names = new RegExp(`(?<![${letters}@.])(${name})(?:['’]?s)?(?![${letters}@])`, 'gi')
  return partsMeant(text).some((part) => {
    return [...part.matchAll(names)].some(({ 0: found, index }) => {
      const after = part.slice(index + found.length)
      const [, next = ''] = new RegExp(`^ ([A-Z][${letters}]+)`).exec(after) ?? []
      const [, before = ''] =
        new RegExp(`(?<=[^.!?\\s] )(?!${titles})([A-Z][${letters}]+) $`).exec(
          part.slice(0, index),
        ) ?? []
      const isTheirs = (word: string): boolean => form.includes(word.toLowerCase())
      return found.endsWith('s') && !name.endsWith('s')
        ? isTheirs(before)
        : isTheirs(next) && isTheirs(before)
    })
  })
}

/** A note that is called by the name, and holds one address. */
function notedIn<Source extends SaidParts>(
  form: string,
  name: string,
  around: AroundPersons<Source>,
): Pick<PersonNamed<Source>, 'source' | 'leaf'> | null {
  for (const { source, path, leaves } of ownNotesIn(around)) {
    const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
    if (!new RegExp(`(?<![${letters}])${name}(?![a-z])`).test(file.replaceAll('_', ' '))) continue
    const addresses = new Set(addressesIn(source))
    const leaf = leaves.find(({ text }) => kindOfValue('email').isIn(form, text))
    if (leaf !== undefined && addresses.size === 1 && addresses.has(form)) return { source, leaf }
  }
  return null
}

const written =
  '(?:e-?)?mails?|messages?|notes?|letters?|invitations?|invites?|requests?|questions?' +
  '|suggestions?|proposals?|reminders?|offers?'
const writes =
  'ask(?:s|ed)?|wants?|wanted|writes?|wrote|sent|sends|mailed|emailed|invited|invites|proposed' +
  '|proposes|suggested|suggests|requested|requests|announced|answered|replied|offered|would like'

/** A list shows that it was written from there, and people speak of what the person wrote. */
function wroteIn<Source extends SaidParts>(
  form: string,
  name: string,
  { sources, own, lists }: AroundPersons<Source>,
): Pick<PersonNamed<Source>, 'source' | 'leaf'> | null {
  const spoken = new RegExp(
    `\\b${name}(?:['’]?s)? (?:[\\w-]+ ){0,3}(?:${written}|${writes})\\b` +
      `|\\b${name}\\b[^.!?]{0,80} and (?:has |then )?(?:${writes}) (?:me|us)\\b` +
      `|\\b(?:${written})\\b[^.!?]{0,40}\\b(?:from|of|by) (?:[\\w-]+ ){0,2}${name}\\b` +
      `|\\b(?:reply|answer|respond|write back|say yes|say no)\\b[^.!?]{0,24}\\b${name}\\b` +
      `|\\b${name}\\b[^]{0,160}\\b(?:(?:h(?:is|er)|their) (?:[\\w-]+ ){0,2}(?:${written})` +
      `|(?:${written}) (?:[\\w-]+ )?(?:from|by|of) (?:h(?:im|er)|them)\\b` +
      '|(?:s?h[e]|they) (?:[\\w-]+ ){0,2}(?:' +
      `${writes}))\\b`,
    'i',
  )
  if (!own.some(({ words }) => words.texts.some((text) => spoken.test(text)))) return null
  for (const source of sources) {
    for (const { of, pointer } of thingsIn(source, lists(source.tool ?? ''))) {
      const isOf = of.some((one) => kindOfValue('email').form(one) === form)
      if (isOf) return { source, leaf: { pointer, text: form } }
    }
  }
  return null
}
