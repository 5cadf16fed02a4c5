// Values that stand in the owner's own texts, where people point to one: `pay the bill in
// /mine/bills/water.txt`, `her address is in /mine/people`, `the account is in the mail I sent`.
// Such a text holds one value of the kind, or the line of it that people call by a name. What is
// paid and to whom come from the same text, or from people's own words.
import type { ListedThing, ValueKind } from '#schemas/values'
import { isAskedFor } from '../asked-for.ts'
import { placesAbove } from '../holders.ts'
import { isGiven, isValueIn, kindOfValue } from '../kinds.ts'
import { thingsIn } from '../listed-things.ts'
import { ownTextIn, partsMeant, sentencesOf } from '../naming.ts'
import { ownWordsIn, saysAll, saysOneOf, titleWordsIn } from '../own-words.ts'
import type { Leaf, SaidParts } from '../said-parts.ts'
import { wordedAmounts } from '../sentences/number-words.ts'
import { isPlain, valuesOfText } from '../text-candidates.ts'
import { isMoney } from '../together/money.ts'
import { saidValuesIn } from '../together/said-values.ts'
import { isNoteIn, ownNotesIn, type AroundNotes, type NotedTitle } from './named-notes.ts'

interface AroundValues<Source> extends AroundNotes<Source> {
  readonly ownForms: readonly string[]
  readonly lists: (tool: string) => readonly ListedThing[]
}

interface Value {
  readonly kind: ValueKind
  readonly form: string
}

/** A text of the owner's own, and how people's words speak of it. */
interface OwnText<Source> {
  readonly source: Source
  readonly path: string
  readonly leaves: readonly Leaf[]
  /** What it is called by, as words. */
  readonly called: string
  readonly isNamedIn: (words: string) => boolean
}

const paying = 'pay transfer send settle reimburse refund wire repay give return donate'.split(' ')
const writing =
  'send mail email write reply answer invite forward share add contact inform notify'.split(' ')
const logsIn = /\b(?:log(?:ged|ging)? ?in|sign in|use (?:h(?:er|is)|their|the|that|it))\b/i
const isQuestion = /^(?!.*\b(?:could|can|would|will) you\b).*\?\s*$/is
/** People say that the account is there. */
const pointsThere = /\b(?:accounts?|ibans?|bank|details)\b/i

/** Where people point to a text of the owner's own that holds the value. */
export function notedValue<Source extends SaidParts & { readonly repeats: readonly object[] }>(
  of: Value,
  call: readonly Value[],
  around: AroundValues<Source>,
): NotedTitle<Source> | null {
  const isLogin = of.kind === 'name' || of.kind === 'id'
  const asked =
    of.kind === 'email'
      ? { verbs: writing, kind: of.kind }
      : { verbs: paying, kind: 'account' as const }
  const said = around.own.flatMap(({ words }) => words.texts.flatMap((one) => ownTextIn(one) ?? []))
  if (isStatedElse(of, said, around)) return null
  for (const one of [...notesIn(around, said), ...ownMailsIn(of, around)]) {
    const { source, path, leaves, called, isNamedIn } = one
    const speaking = around.own.find(({ words: { texts } }) => {
      return texts.some((text) => partsOf(text, of).some(isNamedIn))
    })
    if (speaking === undefined || !leaves.every(({ text }) => isPlain(text))) continue
    const names = namesFor(of, call, { text: textOf(leaves), said, around })
    if (names === null) continue
    const leaf = leaves.find(({ text }) => {
      return isValueIn(of.kind, of.form, of.kind === 'amount' ? apart(text) : text)
    })
    const speaksOf = (words: string): boolean =>
      isNamedIn(words) || isCalled([called, ...names], words)
    const isAsked = said.some((text) =>
      isLogin ? asksToLogIn(text) : isAskedFor(text, { ...asked, speaksOf }),
    )
    if (leaf === undefined || !isAsked) continue
    return { source, leaf, named: speaking.words.message, path }
  }
  return null
}

/** What was sent is spoken of, whatever the sentence bars. */
function partsOf(text: string, { kind }: Value): readonly string[] {
  return kind === 'account' ? [...partsMeant(text), ...sentencesOf(text)] : partsMeant(text)
}

function textOf(leaves: readonly Leaf[]): string {
  return leaves.map(({ text }) => text).join('\n')
}

function asksToLogIn(text: string): boolean {
  return sentencesOf(text).some((one) => logsIn.test(one) && !isQuestion.test(one))
}

function isCalled(names: readonly string[], words: string): boolean {
  return saysOneOf(
    names.flatMap((one) => titleWordsIn(one).split(' ')).filter((one) => !/^$/.test(one)),
    ownWordsIn('', [words]),
  )
}

function formsOf(kind: ValueKind, texts: readonly string[]): ReadonlySet<string | null> {
  return new Set(texts.map((one) => kindOfValue(kind).form(one)))
}

/** People write another value of the kind themselves: then no text says which it is. */
function isStatedElse(
  { kind }: Value,
  said: readonly string[],
  { ownForms }: Pick<AroundValues<unknown>, 'ownForms'>,
): boolean {
  if (kind === 'amount') return moneyIn(said).size > 0
  if (kind !== 'account' && kind !== 'email') return false
  const own = formsOf(kind, ownForms)
  return said.some((text) => {
    return saidValuesIn(kind, text).some((one) => !own.has(kindOfValue(kind).form(one.text)))
  })
}

/** What people write that can be money to be paid. */
function moneyIn(said: readonly string[]): ReadonlySet<string> {
  const found = said.flatMap((text) => {
    const sentences = sentencesOf(text)
    return sentences.flatMap((sentence, at) => [
      ...wordedAmounts(sentence),
      ...saidValuesIn('amount', sentence)
        .filter((one) => isMoney(sentences, at, one))
        .flatMap((one) => kindOfValue('amount').form(one.text) ?? []),
    ])
  })
  return new Set(found)
}

const general =
  'info|infos|information|detail|details|contact|contacts|data|account|bank|address|card|note'
const whole = new RegExp(
  '\\b(?:all|both|each|every|(?:the|these|those|my) (?:two|three|four|five|six|\\d))\\b',
  'i',
)

function notesIn<Source extends SaidParts>(
  around: AroundValues<Source>,
  said: readonly string[],
): readonly OwnText<Source>[] {
  return ownNotesIn(around).map(({ source, path, leaves }) => {
    const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
    const words = titleWordsIn(stem.replaceAll(/[_-]/g, ' ')).split(' ')
    const called = words.filter((word) => !new RegExp(`^(?:${general})$`).test(word)).join(' ')
    const [folder] = placesAbove('path', path)
    const isCalledSo = called !== '' && saysAll(called, ownWordsIn('', said))
    const isNamedIn = (part: string): boolean =>
      isNoteIn(path, part) || (folder?.isIn(part) === true && (isCalledSo || whole.test(part)))
    return { source, path, leaves, called, isNamedIn }
  })
}

const sent = new RegExp(
  '\\b(?:sent|own) (?:e-?)?(?:mails?|messages?)\\b' +
    "|\\b(?:I|we)(?: have|[’']ve)?(?: \\w+ly)? (?:sent|wrote|written|mailed|e-?mailed)\\b",
  'i',
)
const same = /\bsame (?:bank )?account\b/i

/** The mails that the owner sent, less those that a call of the session may have. */
function ownMailsIn<Source extends SaidParts & { readonly repeats: readonly object[] }>(
  { kind, form }: Value,
  { sources, lists, ownForms }: AroundValues<Source>,
): readonly OwnText<Source>[] {
  if (kind !== 'account') return []
  const mine = formsOf('email', ownForms)
  return sources.flatMap((source) => {
    if (source.repeats.some((args) => isGiven(args, (text) => isValueIn(kind, form, text)))) {
      return []
    }
    const { trusted, listed = trusted } = source
    const things = thingsIn({ ...source, trusted: listed }, lists(source.tool ?? ''))
    const mails = things.filter(({ of }) =>
      of.some((one) => mine.has(kindOfValue('email').form(one))),
    )
    const leaves = mails.flatMap(({ pointer }) => {
      const start = pointer.slice(0, pointer.lastIndexOf('/') + 1)
      return listed.filter((one) => one.pointer.startsWith(start))
    })
    const called = mails.flatMap((one) => one.called).join(' ')
    const isNamedIn = (words: string): boolean => sent.test(words) || same.test(words)
    return mails.length === 0 ? [] : [{ source, path: called, leaves, called, isNamedIn }]
  })
}

interface Reading {
  readonly text: string
  readonly said: readonly string[]
  readonly around: Pick<AroundValues<unknown>, 'ownForms'>
}

/** Null where the text does not say just that; else the names by which its line is called. */
function namesFor(of: Value, call: readonly Value[], reading: Reading): readonly string[] | null {
  const { text, said } = reading
  if (of.kind === 'email') return namesOfEmail(of, reading)
  if (of.kind === 'name' || of.kind === 'id') return isLabelled(of, text) ? [] : null
  const accounts = call.filter(({ kind }) => kind === 'account')
  const amounts = call.filter(({ kind }) => kind === 'amount')
  const [payee] = accounts
  if (payee === undefined || accounts.length > 1) return null
  const found = valuesIn('account', text)
  const lines = found.size > 1 ? linesWith(payee, text) : [text]
  const part = lines.join('\n')
  const names = found.size > 1 ? namesSaid(lines, said) : []
  const isItsOwn =
    valuesIn('account', part).has(payee.form) && (found.size === 1 || names.length > 0)
  const money = moneyIn(said)
  if (of.kind === 'account') {
    const isPaid = ({ form }: Value): boolean =>
      money.size === 0
        ? isOnlyMoney(form, part)
        : money.size === 1 && money.has(form) && said.some((one) => pointsThere.test(one))
    return isItsOwn && amounts.every(isPaid) ? names : null
  }
  const isStated = found.size === 0 && said.some((one) => isValueIn('account', payee.form, one))
  return (isItsOwn || isStated) && isOnlyMoney(of.form, part) ? names : null
}

/** The amount of `Ann,12.50;Bob` stands by itself. */
function apart(text: string): string {
  return text.replaceAll(/,(?![0-9]{3}(?![0-9]))|[;|]/g, ' ')
}

function isOnlyMoney(form: string, text: string): boolean {
  const found = valuesOfText('amount', apart(text))
  return found?.size === 1 && found.has(form)
}

function valuesIn(kind: ValueKind, text: string): ReadonlySet<string> {
  return new Set(saidValuesIn(kind, text).flatMap((one) => kindOfValue(kind).form(one.text) ?? []))
}

/** The lines with the value, if it is the only one of its kind in each. */
function linesWith({ kind, form }: Value, text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => isValueIn(kind, form, line))
  return lines.every((line) => valuesIn(kind, line).size === 1) ? lines : []
}

const labels = new RegExp(
  '^(?:account|iban|bank|number|address|e-?mail|mail|amount|name|phone|total|due|pay|paid|the' +
    '|for|and|reference|subject)$',
  'i',
)

/** The names in each of these lines that people's own words have, too. */
function namesSaid(lines: readonly string[], said: readonly string[]): readonly string[] {
  const parts = said.flatMap(partsMeant)
  const named = lines.map((line) => {
    const names = line.match(/\b\p{Lu}\p{L}{2,}\b/gu) ?? []
    return names.filter((name) => {
      return !labels.test(name) && parts.some((part) => isValueIn('name', name.toLowerCase(), part))
    })
  })
  return named.every((names) => names.length > 0) ? named.flat() : []
}

const people = new RegExp(
  '\\b(?:every(?:one|[b]ody)|all|each|every|both|people|those|them|their|addresses|members)\\b',
  'i',
)
const fewer = /\b(?:but|except\w*|only|without|apart|aside|not|other than|unless|who|whose)\b/i

/** The one address of the text, that of a line that people name, or one of all that are meant. */
function namesOfEmail(of: Value, { text, said, around }: Reading): readonly string[] | null {
  const mine = formsOf('email', around.ownForms)
  const all = [...valuesIn('email', text)].filter((one) => !mine.has(one))
  if (!all.includes(of.form)) return null
  if (all.length === 1) return []
  const [isAll, isFewer] = [people, fewer].map((words) => said.some((one) => words.test(one)))
  if (isAll && isFewer) return null
  const names = namesSaid(linesWith(of, text), said)
  return names.length > 0 || isAll ? names : null
}

/** Whether it stands after a label: `Username: ann`. */
function isLabelled({ kind, form }: Value, text: string): boolean {
  const values = [...text.matchAll(/[:=][ \t]*(\S[^\n]*)/g)].flatMap(([, line = '']) => [
    line.trim(),
    line.split(/\s/)[0] ?? '',
  ])
  return values.some((value) => kindOfValue(kind).form(value) === form)
}
