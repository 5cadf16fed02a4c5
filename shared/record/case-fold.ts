// What makes two names one: canonical caseless matching, that is full Unicode case folding and NFC.
// It must never depend on a locale, and what it returns is a key, never shown to anyone.

const isPlain = /^[ -~]*$/

/** The key of a name: equal for two texts that differ only in case or in how they are composed. */
export function caseFold(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase()
  // The dotless `ı` folds to itself, though its upper case is `I`: it stays out of what follows.
  const parts = text.normalize('NFD').split('ı')
  return parts.map(foldPart).join('ı').normalize('NFC')
}

/**
 * Lower, upper, lower is full case folding with what JavaScript has: the first step takes `ẞ` to
 * `ß`, the second `ß` to `SS` and both sigmas to one, the third all of it down. Only the last
 * step's final sigma, which depends on what surrounds it, has to be undone.
 */
function foldPart(part: string): string {
  return part.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
