// The person at the terminal of this process, however its input and output are redirected: who
// signs is asked there and nowhere else. Without a terminal there is no one to ask.
import { openSync } from 'node:fs'
import { platform } from 'node:os'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ReadStream, WriteStream } from 'node:tty'
import { visible } from './line.ts'

export interface Person {
  say(lines: readonly string[]): void
  /** False for anything but yes. */
  agrees(question: string): Promise<boolean>
  /** What is typed is not shown; null where nothing is. */
  secret(question: string): Promise<string | null>
  close(): void
}

/** Null where no terminal is. */
export function personHere(): Person | null {
  const terminal = openTerminal()
  return terminal === null ? null : personAt(terminal)
}

interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  readonly close: () => void
}

function openTerminal(): Terminal | null {
  const { stdin, stderr } = process
  if (platform() === 'win32') {
    if (!stdin.isTTY || !stderr.isTTY) return null
    return { input: stdin, output: stderr, close: () => stdin.pause() }
  }
  try {
    const input = new ReadStream(openSync('/dev/tty', 'r'))
    const output = new WriteStream(openSync('/dev/tty', 'w'))
    const close = (): void => {
      input.destroy()
      output.destroy()
    }
    return { input, output, close }
  } catch {
    return null
  }
}

function personAt({ input, output, close }: Terminal): Person {
  const echo = { isOn: true }
  const shown = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      if (echo.isOn) output.write(chunk)
      done()
    },
  })
  const reading = createInterface({ input, output: shown, terminal: true, historySize: 0 })
  const lines: string[] = []
  let hasEnded = false
  let wake = (): void => undefined
  reading.on('line', (line) => {
    lines.push(line)
    wake()
  })
  reading.once('close', () => {
    hasEnded = true
    wake()
  })
  const next = async (): Promise<string | null> => {
    if (lines.length === 0 && !hasEnded) await new Promise<void>((resolve) => (wake = resolve))
    return lines.shift() ?? null
  }
  const write = (text: string): void => void output.write(text)
  return {
    say: (said) => write(said.map((line) => `${visible(line)}\n`).join('')),
    agrees: async (question) => {
      write(`${visible(question)} [y/N] `)
      const word = (await next())?.trim().toLowerCase()
      return word === 'y' || word === 'yes'
    },
    secret: async (question) => {
      write(`${visible(question)}: `)
      echo.isOn = false
      const typed = await next()
      echo.isOn = true
      write('\n')
      return typed === '' ? null : typed
    },
    close: () => {
      reading.close()
      close()
    },
  }
}
