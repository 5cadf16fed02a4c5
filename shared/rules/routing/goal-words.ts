// The words of a text, as routing compares them: of ids, names, tags, descriptions and goals alike.
// It knows no locale, so the same text has the same words everywhere.
import { caseFold } from '#record/case-fold'
import { rootOf } from './roots.ts'

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
