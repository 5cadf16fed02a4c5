// The values of a call that belong together, held against people's own words: each in its part, and
// with those values with which they say it.
import type { ThingListed } from '../listed-things.ts'
import { requestIn } from '../naming.ts'
import { groupsMeaning, ownWordsIn } from '../own-words.ts'
import { areTogether, isInItsPart, type CallPart } from './value-pairs.ts'
import type { ValueWanted } from '../values-wanted.ts'

export type Formed<Source = unknown> = ValueWanted<Source> & { readonly form: string }

export interface PartsInWords {
  /** Whether people's words have the value in its part, and with the others of the call. */
  readonly isInPlace: (of: Formed) => boolean
  /**
   * Where people state the value apart from the act, whether a sentence speaks of that with which
   * they mean it: the first of `Pay 5 to Ann. Her account is …`.
   */
  readonly statedWith: (of: Formed) => (sentence: string) => boolean
}

interface Listening<Source> {
  /** Whether a piece of people's words speaks of the value. */
  readonly speaking: (of: Formed<Source>) => (piece: string) => boolean
  /** Whether it is written there itself. */
  readonly isWritten: (of: Formed<Source>, text: string) => boolean
  /** The things that results list. */
  readonly things: () => readonly ThingListed[]
}

interface Part extends CallPart {
  readonly form: string
}

const statesIt = new RegExp(
  '\\b(?:iban|account|bank|number|details|e-?mail|address)\\b[^.!?]*(?:\\b(?:is|are)\\b|[:=])' +
    '|\\b(?:has|have|uses?)\\b[^.!?]*\\b(?:iban|account)\\b',
  'i',
)

export const noParts: PartsInWords = { isInPlace: () => true, statedWith: () => () => false }

export function partsInWords<Source>(
  wanted: readonly ValueWanted<Source>[],
  texts: readonly string[],
  listening: Listening<Source>,
): PartsInWords {
  const parts = wanted.flatMap((one): readonly Part[] => {
    const { form, kind, also } = one
    const { part } = also
    if (part === undefined || form === null || kind === 'time') return []
    return [partOf({ ...one, form }, part, listening)]
  })
  if (parts.length === 0) return noParts
  const sentences = texts.flatMap(sentencesOf)
  const isSame = (of: Formed, one: Part): boolean => {
    return one.part === of.also.part && one.kind === of.kind && one.form === of.form
  }
  const othersOf = (mine: Part): readonly Part[] => parts.filter(({ part }) => part !== mine.part)
  return {
    isInPlace: (of) => {
      const mine = parts.find((one) => isSame(of, one))
      if (mine === undefined) return true
      const isApart = (other: Part): boolean => areTogether(mine, other, sentences) === 'apart'
      return isInItsPart(mine, sentences) && !othersOf(mine).some(isApart)
    },
    statedWith: (of) => {
      const mine = parts.find((one) => isSame(of, one))
      const isStated = (text: string): boolean => statesIt.test(text) && mine?.isIn(text) === true
      if (mine === undefined || !sentences.some(isStated)) return () => false
      const pairs = othersOf(mine).filter((other) => {
        return areTogether(mine, other, sentences) === 'together'
      })
      return (sentence) => pairs.some(({ isIn }) => isIn(sentence))
    },
  }
}

function partOf<Source>(
  of: Formed<Source>,
  part: CallPart['part'],
  { speaking, isWritten, things }: Listening<Source>,
): Part {
  const { kind, form, thing, also } = of
  const answers = new Map<string, boolean>()
  const speaksOf = speaking(of)
  const isIn = (piece: string): boolean => {
    const known = answers.get(piece)
    if (known !== undefined) return known
    const found = speaksOf(piece)
    answers.set(piece, found)
    return found
  }
  const isAimed = also.asks !== undefined && (kind === 'path' || kind === 'name')
  const isAim = (text: string): boolean => isAimed && (isWritten(of, text) || !isIn(text))
  const others = (piece: string): readonly string[] => {
    const words = ownWordsIn('', [piece])
    return things().flatMap(({ id, called, list }) => {
      if (list.thing !== thing || id === form) return []
      return called.some((name) => groupsMeaning(name, list, words).length > 0) ? [id] : []
    })
  }
  return { part, kind, form, isIn, isAim, others: thing === undefined ? null : others }
}

/** Sentences as they are read on, past a title or a number: `Dr. Lee`, `no. 5`. */
function sentencesOf(text: string): readonly string[] {
  const all: string[] = []
  for (const { meant, denied } of requestIn(text)?.sentences ?? []) {
    const last = all.at(-1)
    const isGoingOn = last !== undefined && abbreviated.test(last)
    if (isGoingOn) all[all.length - 1] = `${last} ${meant}${denied}`
    else all.push(`${meant}${denied}`)
  }
  return all
}

const abbreviated = /\b(?:dr|mr|mrs|ms|prof|st|no|nr)\.$/i
