// A program as a tool: `tool.mjs MODE FILE …`. It leaves a line in the file for each time it runs.
import { appendFileSync } from 'node:fs'
import { spawn } from 'node:child_process'

const [mode, file, ...rest] = process.argv.slice(2)
appendFileSync(file, 'ran\n')
const words = rest[0] === '--' ? rest.slice(1) : rest

const modes = {
  echo() {
    const pairs = []
    for (let at = 0; at < words.length; at += 2) pairs.push([words[at], valueOf(words[at + 1])])
    process.stdout.write(JSON.stringify(Object.fromEntries(pairs)))
  },
  words: () => process.stdout.write(JSON.stringify(words)),
  env: () => process.stdout.write(JSON.stringify(process.env)),
  cwd: () => process.stdout.write(process.cwd()),
  slow: () => setTimeout(() => {}, 60_000),
  large: () => process.stdout.write('x'.repeat(Number(words[0]))),
  fail() {
    process.stderr.write(`password ${process.env.SECRET}\n`.repeat(Number(words[0] ?? 1)))
    process.exitCode = Number(words[1] ?? 3)
  },
  leak() {
    const { SECRET = '' } = process.env
    const base64 = Buffer.from(`user:${SECRET}`).toString('base64')
    process.stdout.write(`${SECRET}\n${encodeURIComponent(SECRET)}\n${base64}\n`)
  },
  lines: () => process.stdout.write('{"row":1}\n\n{"row":2}\r\nplain\nlast'),
  rows: () => process.stdout.write('{"row":1,"mail":"ann@example.com"}\n\n{"row":2}\r\n'),
  counts: () => process.stdout.write('1\n2\n'),
  bytes: () => process.stdout.write(Buffer.from([0xff, 0xfe, 0x00])),
  nothing() {},
  // Ignores SIGTERM, and so does what it started, which leaves its process id.
  stubborn() {
    process.on('SIGTERM', () => {})
    const child = spawn(process.execPath, [process.argv[1], 'sleeper', file], { stdio: 'inherit' })
    appendFileSync(file, `pid ${child.pid}\n`)
    setTimeout(() => {}, 60_000)
  },
  sleeper() {
    process.on('SIGTERM', () => {})
    setTimeout(() => {}, 60_000)
  },
  // Ends at once and leaves another behind.
  abandon() {
    const child = spawn(process.execPath, [process.argv[1], 'sleeper', file], { stdio: 'inherit' })
    appendFileSync(file, `pid ${child.pid}\n`)
    child.unref()
    child.once('spawn', () => process.exit(0))
  },
  die: () => process.kill(process.pid, 'SIGKILL'),
}

function valueOf(word) {
  try {
    return JSON.parse(word)
  } catch {
    return word
  }
}

modes[mode]()
