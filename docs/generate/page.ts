// Text of a generated page: paragraphs of lines that an editor shows whole.

const columnsMax = 120

/** One of a list. */
export function item(text: string): string {
  return `- ${paragraph(text, columnsMax - 2).replaceAll('\n', '\n  ')}`
}

/** One paragraph, its lines no longer than a page is wide. */
export function paragraph(text: string, columns = columnsMax): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
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
