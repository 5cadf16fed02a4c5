// The runtime's log lines as a program shows them on its standard error, where no one has said
// otherwise: one line of plain text for each, and warnings only unless a level is set.
import { isMap } from '#messages/envelope'
import { parseJson } from '#record/json'
import { logger, type Logger } from './logger.ts'

/** What pino adds to each line; the text has its own time and place. */
const added: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg'])

export function plainLogger(level: string, write: (line: string) => void = toStderr): Logger {
  return logger(level, { write: (line) => write(`${plainLine(line)}\n`) })
}

function toStderr(line: string): void {
  process.stderr.write(line)
}

/** `warrant: the phrase (field value, field value)`. */
export function plainLine(line: string): string {
  const entry = parseJson(line)
  if (!isMap(entry)) return line.trimEnd()
  const fields = Object.entries(entry).flatMap(([name, value]) => {
    return added.has(name) ? [] : [`${name} ${valueText(value)}`]
  })
  const phrase = typeof entry['msg'] === 'string' ? entry['msg'] : ''
  return `warrant: ${phrase}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}`
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(valueText).join(' or ')
  if (isMap(value) && typeof value['message'] === 'string') return value['message']
  return JSON.stringify(value)
}
