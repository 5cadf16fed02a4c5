// Text in which nothing is hidden: the reader, a terminal or a language model, must neither obey
// a byte of it nor see other letters than a person does.

// Controls, and format characters such as those that reverse the direction of writing. A tag of an
// emoji is a format character too; shown as its number it does no harm.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/** One line of text in which nothing is hidden. */
export function visible(text: string): string {
  return text.replaceAll(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}
