// Text of a generated page: paragraphs of lines that an editor shows whole.

const columnsMax = 120

/** One paragraph, its lines no longer than a page is wide. */
export function paragraph(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columnsMax) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].join('\n')
}

export function pageOf(paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
