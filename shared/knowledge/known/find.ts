// Where the values of a call come from: each one that must be known is looked for in what the agent
// was given before it asked, by those whom the catalog trusts for it. Pure: the same live, in a
// preview and on replay.
import type { KnownArgument, ValueFound, ValueKind } from '#schemas/values'
import { short } from '#record/quote'
import { isAskedFor } from './asked-for.ts'
import {
  aroundNamed,
  bareFormOf,
  bareIn,
  inFileSet,
  isKept,
  isLeftOut,
  namedOwners,
} from './bare-names.ts'
import { once, placesToLook, type Places } from './evidence/places-to-look.ts'
import type { GivenSource as Source, Speaking } from './evidence/places-to-look.ts'
import type { ConfirmedValue, ValueEvidence } from './evidence/value-evidence.ts'
import { partsInWords, type Formed, type PartsInWords } from './together/call-parts.ts'
import { isGiven, isValueIn, kindOfValue } from './kinds.ts'
import { madeIn, placesAbove } from './holders.ts'
import { namesInPath } from './url.ts'
import { shownIn, thingIn } from './listed-things.ts'
import { namedTextWith } from './named-texts.ts'
import { isOnlyAround, meansAllOf, partsMeant } from './naming.ts'
import { wordedAmounts } from './sentences/number-words.ts'
import { isNotWrittenTo } from './sentences/not-written-to.ts'
import { isOnlySpokenOf } from './sentences/only-spoken.ts'
import { isNamedIn, ownWordsIn, saysOneOf } from './own-words.ts'
import { notedTitle, type NotedTitle } from './people/named-notes.ts'
import { notedValue } from './people/noted-values.ts'
import { isTimeMeant } from './times/call-times.ts'
import { linkWith } from './people/mail-links.ts'
import { personWith } from './people/persons.ts'
import { wordedName } from './people/worded-names.ts'
import type { Leaf, SaidParts } from './said-parts.ts'
import { isKnown, valueCharactersMax, valuesMax } from './known-value.ts'
import { letsOut, secretsOf, secretsShown } from './secrets-going.ts'
import { formOf, valuesWanted, type Secret, type ValueWanted } from './values-wanted.ts'

/** A value that must be known, where it was found, and what becomes of it if it is not known. */
export interface SoughtValue {
  readonly found: ValueFound
  readonly unknown: 'ask' | 'deny'
}

/** Each value once, in the order of the catalog's list and of the arguments. */
export function soughtValues(
  known: readonly KnownArgument[],
  args: unknown,
  evidence: ValueEvidence,
): readonly SoughtValue[] {
  const all = once(() => placesToLook(evidence))
  const shown = once(() => secretsShown(all().sources))
  const called = [...valuesWanted(known, args), ...secretsOf(known, args, shown)]
  if (called.length === 0) return []
  const times = new Map(called.map((one) => [one, timeMeant(one, called, all)]))
  const wanted = called.filter((one) => times.get(one) !== 'open')
  const call = wanted.flatMap((one) => (one.form === null ? [] : { ...one, form: one.form }))
  const places = { ...all(), call, parts: once(() => partsOf(wanted, all())) }
  const isIncomplete = places.sources.some(({ digests }) => digests?.incomplete === true)
  return wanted.map((one, index) => {
    const { arg, kind, unknown } = one
    const base = { arg, kind, value: short(one.text, valueCharactersMax) }
    if (index >= valuesMax) return { unknown: 'deny', found: { ...base, found: 'beyond' } }
    const place =
      one.kind === 'time' ? placeOfTime(one, times.get(one), places) : placeOf(one, places)
    // What a result does not list may have been in it all the same: people can know.
    const asks = !isKnown({ found: place.found }) && isIncomplete
    return { unknown: asks ? 'ask' : unknown, found: { ...base, ...place } }
  })
}

/** Whether people's own words can mean the time, with the other values of the call. */
function timeMeant(
  of: ValueWanted<Source>,
  called: readonly ValueWanted<Source>[],
  all: () => Places,
): 'open' | boolean {
  const { form } = of
  if (of.kind !== 'time' || of.also.absent?.includes(of.text) === true) return true
  const places = all()
  const [first] = places.own()
  const ways = called.flatMap((other) => {
    if (other.kind === 'time' || other.secret !== undefined || other.form === null) return []
    const { about } = other.also
    if (about === true) return (text: string) => isNamedIn(other.text, ownWordsIn('', [text]))
    const speaksOf = speakingOf({ ...other, form: other.form }, places)
    return (text: string) => first !== undefined && speaksOf(text, first)
  })
  const meant = isTimeMeant({ ...of, form: form ?? '' }, called, {
    texts: contentsOf(places).flatMap((each) => each.texts),
    sources: places.sources,
    lists: places.lists,
    today: places.day(),
    speaksOf: (text) => ways.some((is) => is(text)),
  })
  return meant ?? 'open'
}

function placeOfTime(
  { kind, form, text, also }: ValueWanted<Source>,
  isMeant: 'open' | boolean | undefined,
  places: Places,
): Place {
  if (also.absent?.includes(text) === true) return { found: 'absent' }
  const [first] = places.own()
  const [leaf] = first?.source.trusted ?? []
  if (form === null) return { found: 'nowhere' }
  if (isMeant !== true || first === undefined || leaf === undefined) {
    return untrustedPlace(kind, form, places.sources)
  }
  return { ...placeIn('message', first.source, leaf), by: 'words' }
}

/** Only people's own words let it out. */
function placeOfSecret(secret: Secret<Source>, { sources }: Places): Place {
  for (const source of sources) {
    const leaf = source.tool === null && source.trusted.find(({ text }) => letsOut(secret, text))
    if (leaf !== false && leaf !== undefined) return placeIn('message', source, leaf)
  }
  const { text, called, place } = secret
  if (place === null) return untrustedPlace('id', text, sources)
  const shown = placeIn('unasked', place.source, place.leaf)
  return called === null ? shown : { ...shown, called: short(called, valueCharactersMax) }
}

type Place = Omit<ValueFound, 'arg' | 'kind' | 'value'>

function placeOf(of: ValueWanted<Source>, places: Places): Place {
  const { kind, form, text, also, secret } = of
  if (secret !== undefined) return placeOfSecret(secret, places)
  if (also.absent?.includes(text) === true) return { found: 'absent' }
  if (form === null) return { found: 'nowhere' }
  const own = places.attributes.find(({ value }) => kindOfValue(kind).form(value) === form)
  if (own !== undefined) {
    return { found: 'attribute', principal: own.principal, attribute: own.attribute }
  }
  const formed = { ...of, form }
  const first = placeOfForm(formed, places)
  const place = isKnown(first) ? first : (otherPlace(formed, places) ?? first)
  // Who agreed to it before was asked about just that.
  if (place.found === 'confirmed' || !isKnown(place)) return place
  const isBarred = places.heedsBars && isOnlyBarred(formed, places)
  const isUnasked =
    isBarred ||
    (also.says !== undefined && !saysWord(also.says, places)) ||
    (also.asks !== undefined && !isNoted(place) && !isAsked(formed, places, place)) ||
    (also.part !== undefined && place.found === 'message' && !places.parts().isInPlace(formed))
  return isUnasked ? { ...place, found: 'unasked' } : place
}

/** By a note of the owner's own, which counts only for what people ask to do with it. */
function isNoted({ found, writer }: Place): boolean {
  return found === 'named' && writer === undefined
}

/** Whether people's own words speak of the value, and each time to say that it is not to be. */
function isOnlyBarred(of: Formed<Source>, places: Places): boolean {
  const { kind, form, also } = of
  const bare = also.bare === true && kind !== 'id' ? bareFormOf(kind, form) : null
  if (kind === 'path' && isLeftOut(form, places.sources)) return true
  const isOf = (text: string): boolean => isWrittenIn(of, text, places) || bare?.isIn(text) === true
  const said = places.sources.filter(({ tool }) => tool === null).flatMap(({ trusted }) => trusted)
  const texts = said.map(({ text }) => text)
  const parts = texts.flatMap(partsMeant)
  // A page of `ann/notes` is barred with it.
  const names = kind === 'url' ? namesInPath(form) : []
  const isPage = (text: string): boolean => names.some((name) => isValueIn('name', name, text))
  if (texts.some(isPage) && !parts.some(isPage)) return true
  if (!texts.some(isOf)) return false
  if (kind === 'email' && isNotWrittenTo(form, texts)) return true
  return !parts.some(isOf) || isOnlySpokenOf(kind, parts, isOf)
}

/** Whether people's own words have one of these, in what they do not bar or take back. */
function saysWord(words: readonly string[], places: Places): boolean {
  const parts = contentsOf(places).flatMap(({ texts }) => texts.flatMap(partsMeant))
  return parts.some((part) => saysOneOf(words, ownWordsIn('', [part])))
}

/** Whether people's own words ask for what is done to the value. */
function isAsked(of: Formed<Source>, places: Places, { found, called }: Place): boolean {
  const speaksOf = speakingOf(of, places)
  const isPair = once(() => places.parts().statedWith(of))
  const isPerson = (part: string): boolean =>
    found === 'person' && called !== undefined && isValueIn('name', called, part)
  const amounts = places.call.filter(({ kind }) => kind === 'amount')
  const isPaid = of.kind === 'account' && amounts.length > 0
  const hasAmounts = (part: string): boolean =>
    amounts.every((one) => isWrittenIn({ ...of, ...one }, part, places))
  return contentsOf(places).some(({ texts, speaking }) => {
    return texts.some((text) => {
      const words = (part: string): boolean =>
        speaksOf(part, speaking) || isPair()(part) || isPerson(part)
      const act = { verbs: of.also.asks ?? [], kind: of.kind, speaksOf: words }
      const holdsAll = (part: string): boolean => speaksOf(part, speaking) && hasAmounts(part)
      return isAskedFor(text, isPaid ? { ...act, holdsAll } : act)
    })
  })
}

/** Whether a sentence of people's own words speaks of the value. */
function speakingOf(of: Formed<Source>, places: Places) {
  const { kind, form, thing, also } = of
  const held = also.within === true ? placesAbove(kind, form) : []
  const bare = also.bare === true ? bareFormOf(kind, form) : null
  const isOnlyOne = once(() => bareIn(of, places) !== null)
  const isSet = kind === 'path' && also.bare === true
  const kept = once(() => isSet && isKept(form, places.sources))
  const sets = once(() => (isSet ? (inFileSet(form, places)?.clauses ?? []) : []))
  return (sentence: string, { source, words: { whole } }: Speaking): boolean => {
    if (kept()) return false
    if (thing === undefined && meansAllOfOwner(of, sentence, places)) return true
    if (thing !== undefined) {
      const words = ownWordsIn(source.message.name, [sentence], whole)
      const said = { ...source, trusted: [{ pointer: '', text: sentence }] }
      return isKnown(placeOfThing(of, thing, { ...places, own: () => [{ source: said, words }] }))
    }
    return (
      (isWrittenIn(of, sentence, places) && !isOnlyAround(of, sentence)) ||
      (bare?.isIn(sentence) === true && (bare.isWholeIn(sentence) || isOnlyOne())) ||
      held.some(({ isIn }) => isIn(sentence)) ||
      sets().some((clause) => sentence.includes(clause.trim()) || clause.includes(sentence.trim()))
    )
  }
}

/** What people wrote in their messages, less what programs sent along. */
function contentsOf({ own }: Places) {
  return own().map((speaking) => {
    const said = speaking.source.trusted.filter(({ pointer }) => pointer.startsWith('/content'))
    return { speaking, texts: said.map(({ text }) => text) }
  })
}

function partsOf(wanted: readonly ValueWanted<Source>[], places: Places): PartsInWords {
  const texts = contentsOf(places).flatMap((each) => each.texts)
  const [first] = places.own()
  return partsInWords(wanted, texts, {
    speaking: (of) => {
      const speaksOf = speakingOf(of, places)
      return (piece) => first !== undefined && speaksOf(piece, first)
    },
    isWritten: (of, text) => isWrittenIn(of, text, places),
    things: places.foreign,
  })
}

/** Whether a person's own words hold the value, in the ways in which people write it. */
function isWrittenIn(
  { kind, form, also }: Formed<Source>,
  text: string,
  { readsNumbers }: Places,
): boolean {
  if (isValueIn(kind, form, text)) return true
  if (kind === 'amount') return readsNumbers && wordedAmounts(text).has(form)
  return also.rooted === true && /^\/.+\//.test(form) && isValueIn(kind, form.slice(1), text)
}

function placeOfForm(of: Formed<Source>, places: Places): Place {
  const { kind, form, thing, also } = of
  const { sources } = places
  if (thing !== undefined) return placeOfThing({ kind, form }, thing, places)
  const isOf = (text: string, isOwn: boolean): boolean =>
    isOwn ? isWrittenIn(of, text, places) : isValueIn(kind, form, text)
  const said = saidPlace(sources, isOf, ({ digests }) => digests?.trusted(kind, form))
  if (said?.found === 'message') return said
  const isAbout = also.about === true
  const meant = isAbout ? places.own().find(({ words }) => isNamedIn(of.text, words)) : undefined
  const [first] = meant?.source.trusted ?? []
  if (meant !== undefined && first !== undefined) {
    return { ...placeIn('message', meant.source, first), by: 'words' }
  }
  for (const { name, isIn } of also.within === true ? placesAbove(kind, form) : []) {
    const held = saidPlace(sources, isIn)
    if (held?.found === 'message') return { ...held, within: short(name, valueCharactersMax) }
  }
  return said ?? untrustedPlace(kind, form, sources)
}

/** What makes a value known that no one has said: each only where the catalog lets it. */
function otherPlace({ kind, form, text, also }: Formed<Source>, places: Places): Place | null {
  const { sources, confirmed } = places
  if (also.bare === true) {
    const named = bareIn({ kind, form }, places)
    if (named !== null) return { ...placeIn('message', named.source, named.leaf), bare: named.bare }
    const set = kind === 'path' ? inFileSet(form, places) : null
    if (set !== null) return { ...placeIn('message', set.source, set.leaf), within: set.folder }
    const isHeld = also.within === true || also.madeBy !== undefined
    const isWork = kind === 'path' && isHeld && also.part === undefined
    const near = isWork && places.readsNotes ? aroundNamed(form, sources) : null
    if (near !== null) return { ...placeIn('message', near.source, near.leaf), bare: near.bare }
  }
  // Who agreed to a folder agreed to what is in it, and to a host alone to its pages; of any other
  // address, to that page.
  const held = also.within === true ? placesAbove(kind, form) : []
  const agreed = confirmed.find(({ tool, value, ...one }) => {
    if (one.kind !== kind || also.confirmed?.includes(tool) !== true) return false
    const own = formOf(kind, value, also)
    if (own === form) return true
    return held.some(({ name, isIn }) => (kind === 'url' ? own === name : isIn(value)))
  })
  if (agreed !== undefined) return agreedPlace(agreed)
  const isNamed = (): boolean =>
    places.heedsBars &&
    placesAbove(kind, form).some(({ isIn }) => saidPlace(sources, isIn)?.found === 'message')
  const made = also.madeBy === undefined ? null : madeIn(form, also.madeBy, { sources, isNamed })
  if (made !== null) return placeIn('made', made.source, made)
  if (also.about === true && also.fromNamed === true) {
    const title = notedTitle(text, { ...places, own: places.own() })
    return title === null ? null : notePlace(title)
  }
  const person = also.person === undefined ? null : personIn({ kind, form }, also.person, places)
  if (person !== null) {
    const { source, leaf, named, called } = person
    return { ...placeIn('person', source, leaf), named, called }
  }
  const read = also.fromNamed === true ? namedTextWith({ kind, form }, places) : null
  if (read === null && also.fromNamed === true && places.readsNotes) {
    const noted = notedValue({ kind, form }, places.call, { ...places, own: places.own() })
    if (noted !== null) return notePlace(noted)
  }
  if (read === null) {
    const shown = also.shown === true ? shownIn(form, sources) : null
    return shown === null ? null : placeIn('shown', shown.source, shown.leaf)
  }
  const { source, leaf, named, id, writer } = read
  const shown = { source: short(id, valueCharactersMax), writer: short(writer, valueCharactersMax) }
  return { ...placeIn('named', source, leaf), named, ...shown }
}

function notePlace({ source, leaf, named, path }: NotedTitle<Source>): Place {
  return { ...placeIn('named', source, leaf), named, source: short(path, valueCharactersMax) }
}

function personIn(
  { kind, form }: Pick<Formed<Source>, 'kind' | 'form'>,
  by: 'noted' | 'wrote',
  places: Places,
) {
  const around = { ...places, own: places.own() }
  if (kind === 'email') return personWith(form, by, around)
  const link = linkWith({ kind, form }, around)
  return link ?? (kind === 'name' && by === 'wrote' ? wordedName(form, around) : null)
}

function agreedPlace({ review, tool, agreement }: ConfirmedValue): Place {
  const place = { found: 'confirmed', review } as const
  if (agreement === undefined) return place
  const at = new Date(agreement.at).toISOString()
  return { ...place, tool, agreed: { by: [...agreement.by], at } }
}

/** The first place that makes it known, or else where a result only repeats it. */
function saidPlace(
  sources: readonly Source[],
  isOf: (text: string, isOwn: boolean) => boolean,
  listed: (source: SaidParts) => Pick<Leaf, 'pointer'> | undefined = () => undefined,
): Place | null {
  let repeated: Place | null = null
  for (const source of sources) {
    const isOwn = source.tool === null
    const leaf = source.trusted.find(({ text }) => isOf(text, isOwn)) ?? listed(source)
    if (leaf === undefined) continue
    // What a call had been given is no news.
    if (!source.repeats.some((args) => isGiven(args, (text) => isOf(text, false)))) {
      return placeIn('message', source, leaf)
    }
    repeated ??= placeIn('repeated', source, leaf)
  }
  return repeated
}

// Only what people themselves said names a thing: itself, or in words what a list says that it is.
function placeOfThing(
  { kind, form }: Pick<Formed<Source>, 'kind' | 'form'>,
  thing: string,
  places: Places,
): Place {
  const { sources, lists, foreign, day } = places
  const isOf = (text: string): boolean => isValueIn(kind, form, text)
  const people = places.own()
  for (const { source } of people) {
    const leaf = source.trusted.find(({ text }) => isOf(text))
    if (leaf !== undefined) return placeIn('message', source, leaf)
  }
  const own = people.map(({ words }) => words)
  let unnamed: Place | null = null
  for (const source of sources) {
    const listed = lists(source.tool ?? '').filter((one) => one.thing === thing)
    const found =
      listed.length === 0
        ? null
        : thingIn(source, listed, { isOf, own, foreign: foreign(), today: day() })
    const { called, named = null } = found ?? {}
    const name = called !== undefined && { called: short(called, valueCharactersMax) }
    if (found !== null && named !== null) {
      return { ...placeIn('message', source, found), ...name, named: named.message, by: named.by }
    }
    const leaf =
      found ?? source.trusted.find(({ text }) => isOf(text)) ?? source.digests?.trusted(kind, form)
    if (leaf !== undefined) unnamed ??= { ...placeIn('unnamed', source, leaf), ...name }
  }
  return unnamed ?? untrustedPlace(kind, form, sources)
}

/** Whether a sentence means all that an owner has, and the value is of that owner alone. */
function meansAllOfOwner(
  { kind, form, also }: Formed<Source>,
  sentence: string,
  places: Places,
): boolean {
  if (kind !== 'name' || also.bare !== true) return false
  const owners = namedOwners(form, places.sources)
  const [owner = ''] = owners
  return owners.length === 1 && meansAllOf(owner, 'repository|repo|project', sentence)
}

function untrustedPlace(kind: ValueKind, form: string, sources: readonly SaidParts[]): Place {
  for (const source of sources) {
    const leaf =
      source.untrusted.find(({ text }) => isValueIn(kind, form, text)) ??
      source.digests?.untrusted(kind, form)
    if (leaf !== undefined) return placeIn('untrusted', source, leaf)
  }
  return { found: 'nowhere' }
}

function placeIn(
  found: Place['found'],
  { message, tool }: SaidParts,
  { pointer }: Pick<Leaf, 'pointer'>,
): Place {
  const { name, sender } = message
  return { found, message: name, sender, pointer, ...(tool !== null && { tool }) }
}
