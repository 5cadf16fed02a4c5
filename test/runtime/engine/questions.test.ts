// Asking a person: what was not answered is never taken as answered, and piped input is
// read as typed input is.
import { PassThrough } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { openQuestions, type Questions } from '#cli/terminal/questions'

interface Talk {
  readonly questions: Questions
  readonly input: PassThrough
  /** Everything that the person has been shown. */
  readonly shown: () => string
}

const open: Questions[] = []

afterEach(() => {
  for (const questions of open.splice(0)) questions.close()
})

function talk({ terminal = false } = {}): Talk {
  const input = Object.assign(new PassThrough(), { isTTY: terminal, setRawMode: () => undefined })
  const output = Object.assign(new PassThrough(), { isTTY: terminal, columns: 80 })
  let text = ''
  output.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const questions = openQuestions({ input, output })
  open.push(questions)
  return { questions, input, shown: () => text }
}

/** A conversation of which all answers are there before anything is asked. */
function piped(...lines: readonly string[]): Talk {
  const talked = talk()
  talked.input.end(lines.map((line) => `${line}\n`).join(''))
  return talked
}

const name = { question: 'name', flag: '--name' }
const unanswered = {
  code: 'no_answer',
  message: 'no one answered `name`: nothing was changed; give `--name`, or see --help',
}

test('where the input has ended, no default is taken for an answer', async () => {
  const { questions } = piped()
  await expect(questions.text({ ...name, fallback: 'a' })).rejects.toMatchObject(unanswered)
  await expect(questions.text({ ...name, fallback: 'a' })).rejects.toMatchObject(unanswered)
  await expect(piped().questions.yes(name)).rejects.toMatchObject(unanswered)
  await expect(piped('a').questions.several(name)).rejects.toMatchObject(unanswered)
  await expect(piped().questions.choose(name, [])).rejects.toMatchObject(unanswered)
})

test('Ctrl-C at a terminal ends it, whatever was typed before', async () => {
  const { questions, input } = talk({ terminal: true })
  const answer = questions.text(name)
  input.write('half an answer\u0003')
  await expect(answer).rejects.toMatchObject(unanswered)
})

test('Ctrl-D at a terminal ends it', async () => {
  const { questions, input } = talk({ terminal: true })
  const answer = questions.yes(name)
  input.write('\u0004')
  await expect(answer).rejects.toMatchObject(unanswered)
})

test('at a terminal one answer follows the other as it is typed', async () => {
  const { questions, input } = talk({ terminal: true })
  const first = questions.text(name)
  input.write('refunds\r')
  expect(await first).toBe('refunds')
  const second = questions.yes({ question: 'sure' })
  input.write('y\r')
  expect(await second).toBe(true)
})

test('an empty line is no answer, unless it has a meaning', async () => {
  const { questions, shown } = piped('', '  ', ' a ', '', '')
  expect(await questions.text(name)).toBe('a')
  expect(shown()).toContain('an answer is needed')
  expect(await questions.text({ ...name, fallback: 'b' })).toBe('b')
  expect(await questions.text({ ...name, fallback: '' })).toBe('')
  expect(shown()).toContain('name [b]: ')
})

test('what cannot be taken is asked again with the reason, also where it is the default', async () => {
  const wrong = (answer: string) => (answer === 'b' ? 'there is one already' : null)
  const { questions, shown } = piped('b', '', 'c')
  expect(await questions.text({ ...name, fallback: 'b', wrong })).toBe('c')
  expect(shown().match(/there is one already/g)).toHaveLength(2)
})

test('it asks twenty times and no more', async () => {
  expect(await piped(...Array(19).fill(''), 'a').questions.text(name)).toBe('a')
  const { questions } = piped(...Array(20).fill(''), 'a')
  await expect(questions.text(name)).rejects.toMatchObject(unanswered)
})

test('the longest answer is taken, and one character more is not', async () => {
  const { questions } = piped('a'.repeat(4_097), 'a'.repeat(4_096))
  expect(await questions.text(name)).toHaveLength(4_096)
})

test.each([
  ['', false],
  ['n', false],
  ['No', false],
  ['y', true],
  ['YES', true],
])('`%s` means %s', async (line, meant) => {
  expect(await piped(line).questions.yes(name)).toBe(meant)
})

test('an empty line means yes where that is the default, and it is shown to be', async () => {
  const { questions, shown } = piped('', 'n')
  expect(await questions.yes({ ...name, fallback: true })).toBe(true)
  expect(await questions.yes({ ...name, fallback: true })).toBe(false)
  expect(shown()).toContain('name [Y/n] ')
})

test('what is neither yes nor no is asked again', async () => {
  const { questions, shown } = piped('ja', 'yes please', 'yes')
  expect(await questions.yes(name)).toBe(true)
  expect(shown().match(/say yes or no/g)).toHaveLength(2)
})

const depths = [
  { label: 'shallow', value: 0, hint: 'seen by everyone' },
  { label: 'deep', value: 4 },
]

test('one of several is chosen by its number or its name, and by nothing else', async () => {
  const { questions, shown } = piped('0', '3', '-1', '1.0', 'dee', '', 'deep', '1')
  expect(await questions.choose(name, depths)).toBe(4)
  expect(await questions.choose(name, depths)).toBe(0)
  expect(shown()).toContain('  1  shallow  seen by everyone\n  2  deep\n')
  expect(shown().match(/choose one of them/g)).toHaveLength(6)
})

test('a name that is a number is a name', async () => {
  const numbered = [
    { label: '2', value: 'named two' },
    { label: '7', value: 'the second' },
  ]
  expect(await piped('2').questions.choose(name, numbered)).toBe('named two')
  expect(await piped('7').questions.choose(name, numbered)).toBe('the second')
})

test('of many choices some are shown, and all can be chosen', async () => {
  const many = Array.from({ length: 41 }, (_, index) => ({ label: `c${index}`, value: index }))
  const { questions, shown } = piped('41')
  expect(await questions.choose(name, many)).toBe(40)
  expect(shown()).toContain('… and 1 more')
  expect(shown()).not.toContain('c40')
})

test('several lines end with an empty one, and each must be right', async () => {
  const wrong = (answer: string) => (answer.includes('=') ? null : 'it takes key=value')
  const { questions } = piped('a=1', 'b', 'c=2', '', 'next')
  expect(await questions.several({ ...name, wrong })).toEqual(['a=1', 'c=2'])
  expect(await questions.text(name)).toBe('next')
})

test('a last line without an end counts, and both kinds of ends do', async () => {
  const { questions, input } = talk()
  input.end('one\r\ntwo')
  expect(await questions.text(name)).toBe('one')
  expect(await questions.text(name)).toBe('two')
})

test('nothing that is shown moves the cursor, no matter who wrote it', async () => {
  const { questions, shown } = piped('\u001B[2J')
  questions.say(['\u001B[2J'])
  await questions.choose({ question: '\u001B[2J' }, [{ label: '\u001B[2J', value: 1 }])
  expect(shown()).not.toContain('\u001B')
})

test('what is piped in can be read where the questions stand', async () => {
  const { questions, shown } = piped('a', 'y')
  await questions.text(name)
  await questions.yes({ question: 'sure' })
  expect(shown()).toBe('name: a\nsure [y/N] y\n')
})

test('however much is piped in at once, it is answered line by line', async () => {
  const { questions } = piped(...Array.from({ length: 5_000 }, (_, index) => `line ${index}`))
  for (let index = 0; index < 5_000; index += 1) {
    expect(await questions.text(name)).toBe(`line ${index}`)
  }
  await expect(questions.text(name)).rejects.toMatchObject(unanswered)
})

test('no line is lost where the input ends while a question stands', async () => {
  const { questions, input } = talk()
  const first = questions.text(name)
  await new Promise(setImmediate)
  input.end('one\ntwo\nthree')
  expect(await first).toBe('one')
  await new Promise(setImmediate)
  expect(await questions.text(name)).toBe('two')
  expect(await questions.text(name)).toBe('three')
})
