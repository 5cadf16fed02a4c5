// Where a text stands in others: in sentences, data, settings, logs, addresses, pages and programs,
// over lines, and beside signs of other scripts.

type Surrounding = readonly [name: string, around: (text: string) => string]

/** With another text before, behind, or on both sides. */
function between(name: string, before: string, behind = ''): Surrounding {
  return [name, (text) => `${before}${text}${behind}`]
}

/** In these nothing else may be changed than the text itself. */
export const surroundings: readonly Surrounding[] = [
  between('alone', ''),
  between('in a sentence', 'please use ', ' for it'),
  between('at the end of one', 'it is ', '.'),
  between('called out', '', '!'),
  between('asked about', 'is it ', '?'),
  between('in a list', 'a, ', ', b'),
  between('in parentheses', '(', ')'),
  between('in quotes', '"', '"'),
  between('in single quotes', "'", "'"),
  between('in backticks', '`', '`'),
  between('in printed quotes', '“', '”'),
  between('between dashes', 'see—', '—there'),
  between('in a line of CSV', '1,', ',x'),
  between('in a line of TSV', '1\t', '\tx'),
  between('in a row of markdown', '| 1 | ', ' | x |'),
  between('in bold', '**', '**'),
  between('in an item', '- ', ''),
  between('in a comment', '// ', ''),
  between('in YAML', 'note: ', ''),
  between('in settings', 'NOTE=', ''),
  between('in escaped JSON', '{\\"note\\": \\"', '\\"}'),
  between('in a line of a log', '2026-03-04 10:15:30,123 ERROR [main] failed for ', ''),
  between('in HTML', '<td>', '</td>'),
  between('in SQL', "INSERT INTO t VALUES ('", "', 1)"),
  between('in a command', "echo '", "' | cat"),
  between('in a line of its own', 'first\n', '\nlast'),
  between('in a line of Windows', 'first\r\n', '\r\nlast'),
  between('after what shows nothing', '\u200b', '\u200b'),
  between('between blanks that hold', 'a\u00a0', '\u00a0b'),
  between('before another script', '这是 ', '。'),
  between('between pictures', '📞', '📞'),
]
