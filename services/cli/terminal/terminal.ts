// Where the command line writes: answers to standard output, troubles to standard error. Colour
// only on a terminal, and anyone who stops reading ends us quietly.
import { asCalled } from '#wiring/called'
import { colours } from './colours.ts'
import { visible, type Line, type Tone } from './line.ts'

type Paint = (text: string) => string

const { stdout, stderr } = process

const paints: Readonly<Record<Tone, Paint>> = {
  plain: (text) => text,
  good: colours.green,
  bad: colours.red,
  warn: colours.yellow,
  dim: colours.dim,
  strong: colours.bold,
}

/** To be called once, before anything is written. */
export function endQuietlyOnBrokenPipe(): void {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit()
    })
  }
}

/** Writes lines for people. Resolves when there is room for more. */
export function print(lines: readonly Line[]): Promise<void> {
  return write(lines.map((line) => `${painted(line)}\n`).join(''))
}

/** Writes one JSON value on one line. */
export function printJson(value: unknown): Promise<void> {
  return write(`${JSON.stringify(value)}\n`)
}

/** Writes a line about what is going on to standard error, where it mixes with no answer. */
export function note(line: string): void {
  stderr.write(`${visible(asCalled(line))}\n`)
}

const noted = new Set<string>()

/** Before a command begins: nothing was noted yet. */
export function beginNotes(): void {
  noted.clear()
}

/** Writes it once, however often a command comes across it. */
export function noteOnce(line: string): void {
  if (noted.has(line)) return
  noted.add(line)
  note(line)
}

/** Writes text that the caller answers for, such as JSON. */
export function write(text: string): Promise<void> {
  if (text === '' || stdout.write(text)) return Promise.resolve()
  return new Promise((resolve) => stdout.once('drain', resolve))
}

function painted(line: Line): string {
  if (typeof line === 'string') return visible(line)
  return paints[line.tone](visible(line.text))
}
