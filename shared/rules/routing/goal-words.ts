// The words of a text, as routing compares them: of ids, names, tags, descriptions and goals alike.
// It knows no locale, so the same text has the same words everywhere.
import { caseFold } from '#record/case-fold'

// The root of an English word, lightly: endings of number and of verbs go. It only has to bring the
// forms of one word together, not to find its base form; a word that is not ASCII stays as it is.

const isAscii = /^[a-z]+$/
const shortestWord = 4
const shortestRoot = 3

/** The same for forms of one word, such as `cancelled` and `cancels`. */
function rootOf(word: string): string {
  if (word.length < shortestWord || !isAscii.test(word)) return word
  return withoutE(withoutVerbEnding(singular(word)))
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') && !/[siu]s$/.test(word) ? word.slice(0, -1) : word
}

function withoutVerbEnding(word: string): string {
  const root = word.replace(/(ing|ed|(?<=[st])ion)$/, '')
  const isVerb = root !== word && root.length >= shortestRoot && /[aeiouy]/.test(root)
  if (!isVerb) return word
  return /([bdglmnprt])\1$/.test(root) ? root.slice(0, -1) : root
}

// `schedule` and `scheduling` have one root without it.
function withoutE(word: string): string {
  return word.length > shortestRoot && word.endsWith('e') ? word.slice(0, -1) : word
}

const run = /[\p{L}\p{M}\p{N}]+/gu
const innerCapital = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
/** Scripts that put no spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const isLone = /^[a-z]$/

/** What goals are made of, and what separates no tool from another. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be been but by can could did do does each for ' +
    'from give got had has have here how i if in into is it its just let ' +
    'like may me my need now of on or our out over please should so some than that the ' +
    'their them then there these they this those to too up us want was we were what when ' +
    'where which while who whom whose why will with would you your'
  ).split(' '),
)

/**
 * Its words in order, repeats and all: folded, without stop words, in their root form. What is
 * written together with capitals inside counts as one word and as its parts.
 */
export function routingWords(text: string): readonly string[] {
  return [...text.normalize('NFKC').matchAll(run)]
    .flatMap(([whole]) => (unspaced.test(whole) ? pairsOf(whole) : partsOf(whole)))
    .map(caseFold)
    .filter((word) => !stopWords.has(word) && !isLone.test(word))
    .map(rootOf)
}

function partsOf(whole: string): readonly string[] {
  const parts = whole.split(innerCapital)
  return parts.length === 1 ? parts : [whole, ...parts]
}

/** Every two characters that follow each other: such words have one or two as a rule. */
function pairsOf(whole: string): readonly string[] {
  const characters = Array.from(whole)
  if (characters.length < 2) return characters
  return characters.slice(1).map((each, index) => `${characters[index] ?? ''}${each}`)
}
