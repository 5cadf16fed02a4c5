// Asks a person, line by line: at a terminal, or of whatever is piped in, so that a conversation
// can be scripted. What is asked goes where it mixes with no answer, and nothing is taken as
// answered that was not: when the lines end, so does the command.
import { createInterface } from 'node:readline'
import { Fault } from '#record/fault'
import { visible } from './line.ts'

export interface PromptText {
  readonly question: string
  /** The flag that says it without asking, such as `--source`. */
  readonly flag?: string
}

export interface TextAsked extends PromptText {
  /** What an empty line means; without one an empty line is asked again. */
  readonly fallback?: string
  /** Why it cannot be taken, or null. */
  readonly wrong?: (answer: string) => string | null
}

export interface YesAsked extends PromptText {
  /** What an empty line means. */
  readonly fallback?: boolean
}

export interface Choice<T> {
  /** What is typed to choose it, if not its number. */
  readonly label: string
  readonly value: T
  readonly hint?: string
}

export interface Questions {
  /** One line, without the space around it. */
  text(asked: TextAsked): Promise<string>
  /** One line after the other, until an empty one. */
  several(asked: Omit<TextAsked, 'fallback'>): Promise<readonly string[]>
  /** An empty line means no, unless the question makes yes the default. */
  yes(asked: YesAsked): Promise<boolean>
  choose<T>(asked: PromptText, choices: readonly Choice<T>[]): Promise<T>
  /** Lines that ask nothing. */
  say(lines: readonly string[]): void
  /** To be called in the end: until then the input keeps the process alive. */
  close(): void
}

export interface QuestionStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

const charactersMax = 4_096
const linesMax = 64
const triesMax = 20
const choicesShownMax = 40
const earlyMax = 1_024

export function openQuestions(streams: QuestionStreams): Questions {
  const conversation = converse(streams)
  return {
    text: (asked) => askText(conversation, asked),
    several: (asked) => askSeveral(conversation, asked),
    yes: (asked) => askYes(conversation, asked),
    choose: (asked, choices) => askChoice(conversation, asked, choices),
    say: (lines) => conversation.say(lines),
    close: () => conversation.close(),
  }
}

interface Conversation {
  /** The next line, once that stands before it. */
  line(before: string, asked: PromptText): Promise<string>
  say(lines: readonly string[]): void
  close(): void
}

function converse({ input, output }: QuestionStreams): Conversation {
  const terminal = input.isTTY === true && output.isTTY === true
  const reading = createInterface({ input, output, terminal, crlfDelay: Infinity, historySize: 0 })
  // Lines that come before they are asked for, such as those of a pipe.
  const early: string[] = []
  const nothing = (): void => undefined
  let ended = false
  let end = nothing
  reading.on('line', (line) => {
    early.push(line)
    if (early.length >= earlyMax) reading.pause()
  })
  reading.once('close', () => {
    ended = true
    end()
  })
  const typed = (before: string): Promise<string | null> => {
    return new Promise((resolve) => {
      // A last line that nothing ends does not come as the answer, but before the end.
      end = () => resolve(early.shift() ?? null)
      reading.question(before, (line) => {
        end = nothing
        resolve(line)
      })
    })
  }
  return {
    async line(before, asked) {
      const shown = visible(before)
      const next = early.shift()
      if (next !== undefined) output.write(shown)
      const line = next ?? (ended ? null : await typed(shown))
      if (line === null) {
        output.write('\n')
        throw unanswered(asked)
      }
      // What is piped in is shown too, so that what was asked and answered can be read later.
      if (!terminal) output.write(`${visible(line.slice(0, charactersMax))}\n`)
      return line.trim()
    },
    say: (said) => {
      output.write(said.map((line) => `${visible(line)}\n`).join(''))
    },
    close: () => reading.close(),
  }
}

/** Asks until an answer can be taken. */
async function asking<T>(
  conversation: Conversation,
  before: string,
  asked: PromptText,
  read: (line: string) => { readonly taken: T } | { readonly wrong: string },
): Promise<T> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const line = await conversation.line(before, asked)
    const answer =
      line.length > charactersMax
        ? { wrong: `it has more than ${charactersMax} characters` }
        : read(line)
    if ('taken' in answer) return answer.taken
    conversation.say([`  ${answer.wrong}`])
  }
  throw unanswered(asked)
}

function askText(conversation: Conversation, asked: TextAsked): Promise<string> {
  const { question, fallback, wrong } = asked
  const shown = fallback === undefined || fallback === '' ? '' : ` [${fallback}]`
  return asking(conversation, `${question}${shown}: `, asked, (line) => {
    const answer = line === '' ? fallback : line
    if (answer === undefined) return { wrong: 'an answer is needed' }
    const why = wrong?.(answer) ?? null
    return why === null ? { taken: answer } : { wrong: why }
  })
}

async function askSeveral(
  conversation: Conversation,
  asked: Omit<TextAsked, 'fallback'>,
): Promise<readonly string[]> {
  const taken: string[] = []
  while (taken.length < linesMax) {
    const before = taken.length === 0 ? `${asked.question} (an empty line ends): ` : '  and: '
    const line = await asking(conversation, before, asked, (said) => {
      const why = said === '' ? null : (asked.wrong?.(said) ?? null)
      return why === null ? { taken: said } : { wrong: why }
    })
    if (line === '') return taken
    taken.push(line)
  }
  return taken
}

function askYes(conversation: Conversation, asked: YesAsked): Promise<boolean> {
  const { question, fallback = false } = asked
  return asking(conversation, `${question} ${fallback ? '[Y/n]' : '[y/N]'} `, asked, (line) => {
    const word = line.toLowerCase()
    if (word === '') return { taken: fallback }
    if (word === 'y' || word === 'yes') return { taken: true }
    if (word === 'n' || word === 'no') return { taken: false }
    return { wrong: 'say yes or no' }
  })
}

function askChoice<T>(
  conversation: Conversation,
  asked: PromptText,
  choices: readonly Choice<T>[],
): Promise<T> {
  const rows = choices.slice(0, choicesShownMax).map(({ label, hint }, index) => {
    return `  ${index + 1}  ${label}${hint === undefined ? '' : `  ${hint}`}`
  })
  const left = choices.length - rows.length
  if (left > 0) rows.push(`  … and ${left} more, by number or name`)
  conversation.say([`${asked.question}:`, ...rows])
  return asking(conversation, '> ', asked, (line) => {
    const number = /^[1-9][0-9]{0,8}$/.test(line) ? Number(line) : 0
    const chosen = choices.find(({ label }) => label === line) ?? choices[number - 1]
    if (chosen !== undefined) return { taken: chosen.value }
    return { wrong: `choose one of them, by its name or its number from 1 to ${choices.length}` }
  })
}

function unanswered({ question, flag }: PromptText): Fault {
  const instead = flag === undefined ? 'every step has a flag' : `give \`${flag}\``
  const message = `no one answered \`${question}\`: nothing was changed; ${instead}, or see --help`
  return new Fault('no_answer', message)
}
