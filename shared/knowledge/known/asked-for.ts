// Whether people's own words ask for what a call does, and not only speak of what it is done to:
// who has a repository looked at has named it, and did not ask that it be deleted.
import type { ValueKind } from '#schemas/values'
import { withoutEnd } from '#record/reading/text-end'
import {
  clausesOf,
  imperatives,
  itemsNamed,
  type Clause,
  type Sentence,
} from '../grounding/moods.ts'
import { ownTextIn } from './naming.ts'
import { ownWordsIn, saysOneOf, withoutReasons } from './own-words.ts'
import { saidValuesIn } from './together/said-values.ts'

/** An act on a value, as words of people may ask for it. */
export interface WantedAct {
  readonly verbs: readonly string[]
  readonly kind: ValueKind
  /** Whether words speak of the value. */
  readonly speaksOf: (words: string) => boolean
  /** Whether words hold all that the act is done with: an account and the amount for it. */
  readonly holdsAll?: (words: string) => boolean
}

/**
 * Whether a clause asks for the act and speaks of the value, or asks for it of what the words
 * beside it speak of.
 */
export function isAskedFor(text: string, act: WantedAct): boolean {
  const own = ownTextIn(text)
  if (own === null) return false
  const { holdsAll } = act
  if (holdsAll !== undefined && itemsNamed(own).some(holdsAll)) return true
  const sentences = clausesOf(withoutReasons(own))
  return sentences.some((sentence, at) => {
    return sentence.some((clause, index) => {
      if (clause.mood !== 'asked') return false
      const around = {
        all: sentences.slice(0, at).flat(),
        before: sentences[at - 1] ?? [],
        sentence,
        index,
        next: sentences[at + 1] ?? [],
      }
      if (isOneOf(act.verbs, clause)) {
        return act.speaksOf(saidIn(clause, act)) || isOfThat(clause, act, around)
      }
      return proAct.test(clause.act) && isThatAct(act, around)
    })
  })
}

const longQuote = new RegExp(
  `(?<![\\p{L}\\p{N}])(['"])(?:(?!\\1)[^\\n])*\\s(?:(?!\\1)[^\\n])*\\s(?:(?!\\1)[^\\n])*\\1` +
    '|[“„«][^\\n”“»]*\\s[^\\n”“»]*[”“»]',
  'gu',
)

/** A value within a longer quote is part of what is quoted; a thing may be called by that. */
function saidIn({ said }: Clause, { kind }: WantedAct): string {
  return kind === 'id' ? said.replaceAll(former, ' ') : said.replaceAll(longQuote, ' ')
}

/** What an identifier is changed from: `from 'a' (old) to 'b'`. */
const former =
  /\bfrom (?:'[^'\n]*'|"[^"\n]*"|[“‘][^”’\n]*[”’]|(?=\S*[a-z])[^\s:]*[0-9]\S*)(?=.*\bto\b)/gi
/** It says which one it is to be. */
const toAnother = /\b(?:to|into|with|by) (?:be )?['"“‘]/i

interface Around {
  /** All sentences before. */
  readonly all: Sentence
  readonly before: Sentence
  readonly sentence: Sentence
  readonly index: number
  readonly next: Sentence
}

/** They say little of what is done: `give access`, `make a payment`, `get rid`. */
const light = new RegExp(
  '^(?:be|becomes?|begin|carry|confirm|do|execute|finish|gets?|give|go|grant|have|help|initiate' +
    '|join|know|let|make|perform|proceed|process|put|receive|set|start|take|try)$',
  'i',
)
const causing = /^(?:get|have|let|make)$/i
const base = new RegExp(`^(?!join$)(?:${imperatives})$`, 'i')
const article = /^(?:the|an?|my|our|your|any|all|every|each|this|that|these|those)$/i

/** Whether what is asked is one of these acts: it is the verb, or beside one that says little. */
function isOneOf(verbs: readonly string[], { act, isOfThing }: Clause): boolean {
  const isAct = (word: string): boolean => saysOneOf(verbs, ownWordsIn('', [word]))
  const [first = '', ...rest] = act.split(/[\s,;:.!?()]+/)
  if (isAct(first)) return true
  // `The old key has to go`.
  if (/^go\W*$/i.test(act)) return saysOneOf(verbs, ownWordsIn('', ['remove', 'delete', 'cancel']))
  // `Have Ann pay` is for someone else to do; `make a payment`, `get it deleted` is not.
  if (causing.test(first)) {
    return rest.some((word, at) => {
      return isAct(word) && (!base.test(word) || article.test(rest[at - 1] ?? ''))
    })
  }
  if (light.test(first)) return rest.some(isAct)
  // `Unsubscribe me by deleting their mails`.
  if (rest.some((word, at) => rest[at - 1] === 'by' && word.endsWith('ing') && isAct(word)))
    return true
  // `I want the review cancelled`, and not `the cancelled review`.
  return isOfThing && rest.some((word, at) => isAct(word) && !article.test(rest[at - 1] ?? first))
}

const someone = 'h(?:im|er)|them|me|us'
const determiner = '(?:an?|the|my|our|your|h(?:is|er)|their|this|that|some|one)\\b'
/** `Send me the list` has its object, and no one else. */
const toMe = new RegExp(`^\\W*\\p{L}+ (?:me|us) ${determiner}`, 'iu')
const pronoun = new RegExp(
  '^\\W*[\\p{L}]+(?: \\p{L}+)? ' +
    '(?:(?:each|all|both|any|every one) of (?:them|these|those)|it|this|that|these|those|both' +
    `|(?:${someone})(?! ${determiner}))\\b`,
  'iu',
)
const things =
  'appointment|calendar|copy|directory|e-?mail|event|file|folder|meeting|message|one|other' +
  '|project|repo|repository|thing'
/** `The repository` is the one that was spoken of. */
const generic = new RegExp(
  `^\\W*\\p{L}+ (?:the|my|our|this|that) (?:\\p{L}+ ){0,2}(?:${things})s?` +
    '(?=\\W*$|,| (?:now|please|today|again|too|for me|over|on top)\\b| \\()',
  'iu',
)
const proAct = new RegExp(
  '^(?:do (?:so|it|that|this)|(?:take care of|handle|see to) (?:it|that|this)' +
    '|give (?:it|them|h(?:im|er)) one|go ahead|proceed)\\b',
  'i',
)

/** `Delete the old files, these stay: …` speaks of others. */
const keeping = /\b(?:stays?|remains?|keeps?|kept|need (?:this|these|those))\b/i

/** It is done to what was spoken of: `delete it`; or it names nothing itself. */
function isOfThat(clause: Clause, act: WantedAct, around: Around): boolean {
  const { before, sentence, index } = around
  const others = sentence.filter((_, at) => at !== index)
  const isPerson = act.kind === 'email' || act.kind === 'account'
  if (toMe.test(clause.act)) return false
  // `'a' leaked, change it to 'b'` asks for b.
  if (act.kind === 'id' && toAnother.test(clause.text)) return false
  const isOpen =
    [pronoun, generic].some((one) => one.test(clause.act)) || !hasObject(clause.act, act.verbs)
  if (isOpen && (isPerson || !isToSomeone(clause.act))) {
    const isIt = (said: Sentence): boolean =>
      said.some(({ text }) => act.speaksOf(text)) && !said.some((one) => isBarred(one, act))
    const stated = others.filter(({ mood, text }) => mood === 'stated' && !keeping.test(text))
    const nearest = sentence.slice(0, index).at(-1)
    if (isIt(stated) || (nearest === undefined ? isIt(before) : isIt([nearest]))) return true
    if (nearest !== undefined && stated.length === 0 && pronoun.test(clause.act) && isIt(before)) {
      return true
    }
    if (act.kind === 'name' && isLastNamed(act, [...around.all, ...sentence.slice(0, index)]))
      return true
  }
  if (!isPerson) {
    const isOfIts = around.next.some((one) => {
      return one.mood === 'stated' && itsName.test(one.text) && act.speaksOf(one.text)
    })
    return act.kind === 'url' ? isFormOf(around, act) : isOfIts
  }
  return [...before, ...others, ...around.next].some((one) => {
    return one.mood === 'stated' && act.speaksOf(one.text) && isOfSame(one.text, clause.text)
  })
}

/** `The old key has to go. Its comment says …`. */
const itsName = new RegExp(
  '^\\W*(?:its|their) (?:[\\w-]+ ){0,2}?(?:comment|name|title|id|number)s? ' +
    '(?:says?|reads?|is|are|ends?)\\b',
  'i',
)

/** `The site x.org has a form. Submit my name.` */
function isFormOf({ before }: Around, act: WantedAct): boolean {
  return before.some((one) => {
    return one.mood === 'stated' && /\bforms?\b/i.test(one.text) && act.speaksOf(one.text)
  })
}

/** `Create notes, write a page, and invite Ann`: of what was named last, where that is this one. */
function isLastNamed(act: WantedAct, before: Sentence): boolean {
  const named = before.findLast(({ text }) => {
    return act.speaksOf(text) || saidValuesIn('name', text).some((one) => !/\s/.test(one.text))
  })
  return named !== undefined && act.speaksOf(named.text) && !isBarred(named, act)
}

const whose = new RegExp(
  '^\\W*(?:h(?:is|er)|their|its|the) (?:[\\w-]+ ){0,3}?' +
    '(?:account|iban|address|e-?mail|mail|number)(?:e?s)?\\b',
  'i',
)

/** `Her account is …`, or words with a name that the act has, too. */
function isOfSame(stated: string, asked: string): boolean {
  if (whose.test(stated)) return true
  const names = (text: string): readonly string[] => text.match(/\b[A-Z][a-z]+\b/g) ?? []
  const asks = new Set(names(asked.replace(/^\W*\w+/, '')))
  return names(stated).some((name) => asks.has(name))
}

/** `Send them an apology` is done to no thing that was spoken of. */
function isToSomeone(act: string): boolean {
  return new RegExp(`^\\W*\\p{L}+ (?:${someone}) ${determiner}`, 'iu').test(act)
}

function isBarred({ mood, text }: Clause, { verbs }: WantedAct): boolean {
  return mood === 'barred' && saysOneOf(verbs, ownWordsIn('', [text]))
}

/** `Please do so` asks for the act of which the words before speak. */
function isThatAct(act: WantedAct, { before, sentence, index }: Around): boolean {
  const near = index > 0 ? sentence.slice(0, index) : before
  if (near.some((one) => isBarred(one, act))) return false
  return near.some(({ mood, text }) => {
    const counts = mood !== 'about' && mood !== 'conditional' && mood !== 'barred'
    return counts && act.speaksOf(text) && saysOneOf(act.verbs, ownWordsIn('', [text]))
  })
}

const noObjects =
  'it them this that these those both me h(?:im|er) us people everyone there here and or then to ' +
  'in into on from with for at by as of afterwards again please now today too also up off out'
const noObject = new RegExp(`^(?:${noObjects.replaceAll(' ', '|')})$`, 'i')

/** Whether it says to what the act is done: a word, and no person, place or pronoun. */
function hasObject(act: string, verbs: readonly string[]): boolean {
  const [, ...rest] = act.split(/\s+/).filter((word) => word !== '')
  const words = rest.map((next) => withoutEnd(next, /\W/)).filter((next) => !article.test(next))
  // In `make a backup copy at …` and `give the ownership to …` it is what is done.
  const isAct = (word: string): boolean => saysOneOf(verbs, ownWordsIn('', [word]))
  const first = words.findIndex((word) => !isAct(word))
  const objects = first === -1 ? [] : words.slice(first)
  const [object = ''] = objects
  return /^[^A-Z@]/.test(object) && !object.includes('@') && !noObject.test(object)
}
