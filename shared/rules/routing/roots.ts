// The root of an English word, lightly: endings of number and of verbs go. It only has to bring the
// forms of one word together, not to find its base form; a word that is not ASCII stays as it is.

const isAscii = /^[a-z]+$/
const shortestWord = 4
const shortestRoot = 3

/** The same for forms of one word, such as `cancelled` and `cancels`. */
export function rootOf(word: string): string {
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
