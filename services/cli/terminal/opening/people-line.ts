// A log line of the runtime as a person at a terminal reads it: the time, the phrase, and its
// fields. Programs get the same as JSON.
import { parseJson } from '#record/json'
import { isMap } from '#messages/envelope'
import { colours } from '../colours.ts'
import { visible } from '../line.ts'

/** What pino adds to each line, and no one at a terminal asks for. */
const left = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg'])

const levels: ReadonlyMap<unknown, readonly [string, (text: string) => string]> = new Map([
  [40, ['warning: ', colours.yellow]],
  [50, ['error: ', colours.red]],
  [60, ['error: ', colours.red]],
])

/** A line as pino writes it; any other text is left as it is. */
export function peopleLine(json: string): string {
  const line = fieldsOf(json)
  if (line === null) return json
  const { level, time, msg } = line
  const at = typeof time === 'number' ? new Date(time).toTimeString().slice(0, 8) : ''
  const [word, paint] = levels.get(level) ?? ['', (text: string) => text]
  const phrase = msg === 'stages running' ? readyText(line) : `${textOf(msg)}${fieldsText(line)}`
  return `${colours.dim(at)}  ${paint(visible(word + phrase))}\n`
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(json: string): Fields | null {
  try {
    const value: unknown = parseJson(json)
    return isMap(value) ? value : null
  } catch {
    return null
  }
}

/** All that is there to say when nothing more has to be done. */
function readyText(line: Fields): string {
  const { stages, log, realm, listen, model } = line
  const more = [
    ...(realm === 'main' ? [] : [`realm ${textOf(realm)}`]),
    ...(listen === undefined ? [] : [`health at ${textOf(listen)}`]),
    ...(model === undefined ? [] : [`model ${textOf(model)}`]),
  ]
  const where = [`on ${textOf(log)}`, ...more].join(', ')
  const running = Array.isArray(stages) ? stages.map(textOf).join(', ') : ''
  return `ready, waiting for agents ${where} (${running}; Ctrl-C ends it)`
}

function fieldsText(line: Fields): string {
  const shown = Object.entries(line).filter(([key]) => !left.has(key))
  return shown.length === 0 ? '' : `: ${shown.map(fieldText).join(', ')}`
}

function fieldText([key, value]: readonly [string, unknown]): string {
  if (key === 'error' && isMap(value)) return errorText(value)
  return `${key} ${textOf(value)}`
}

function errorText({ code, message, cause }: Fields): string {
  const said = `${textOf(message)}${code === undefined ? '' : ` (${textOf(code)})`}`
  return isMap(cause) ? `${said}, since ${errorText(cause)}` : said
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
