// Types the first command of every page of the installed package, and runs each example, as a
// reader would: at a terminal, in a folder of `init`, with `y` where it asks. `pages.json` says what
// stands before that command, or why it cannot be typed here. A page with a command and an example
// that have no entry fail. The examples lie compiled in `examples`.
//   node pages.mjs PAGES_JSON ROOT_OF_THE_CHECKOUT
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

const [dataFile, root] = process.argv.slice(2)
const here = process.cwd()
const modules = join(here, 'node_modules')
const installed = join(modules, 'warrant-runtime')
const docs = join(installed, 'docs')
const { pages, examples } = JSON.parse(readFileSync(dataFile, 'utf8'))
/** A last resort, for one that never ends. */
const lateMs = 300_000
const atOnce = 2

const fenced = /^(?<indent> *)```(?<language>\w*)\n(?<body>[^]*?)^ *```$/gm
const indented = /(?:^ {4}.*\n)+/gm
/** What begins a line that people type. */
const typed = /^(?:\$ )?(?:warrant|npm|npx|curl|docker|export|nats|echo|[A-Z_]+=)\b/

/** The block with the first command of a page; null where it has none. */
function firstBlock(page) {
  const blocks = [
    ...[...page.matchAll(fenced)]
      .filter(({ groups }) => ['', 'sh', 'console'].includes(groups.language))
      .map(({ index, groups }) => [index, groups.body, groups.indent.length]),
    ...[...page.matchAll(indented)].map(({ index, 0: body }) => [index, body, 4]),
  ].sort(([one], [other]) => one - other)
  for (const [, body, indent] of blocks) {
    const lines = body.split('\n').map((line) => line.slice(indent))
    if (lines.some((line) => typed.test(line))) return lines
  }
  return null
}

/** The commands of a block, without what they print. */
function commandsOf(lines) {
  const isTranscript = lines.some((line) => line.startsWith('$ '))
  const commands = []
  for (const line of lines) {
    const last = commands.at(-1)
    if (last !== undefined && isOpen(last)) commands[commands.length - 1] = `${last}\n${line}`
    else if (line.startsWith('$ ')) commands.push(line.slice(2))
    else if (!isTranscript && line.trim() !== '') commands.push(line)
  }
  // Of a transcript only the first: what it prints is compared elsewhere.
  return isTranscript ? commands.slice(0, 1) : commands
}

const isOpen = (command) =>
  command.endsWith('\\') || (command.replaceAll(/"[^"]*"/g, '').split("'").length - 1) % 2 === 1

async function freePort() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** What a reader would wait for: a server that was put into the background answers. */
function scriptOf(entry, commands, port) {
  const healthy = `until curl -sf http://127.0.0.1:${port}/healthz >health; do sleep 0.1; done`
  let text = [entry.before ?? '', ...commands.slice(0, entry.commands ?? commands.length)].join(
    '\n',
  )
  for (const [from, to] of Object.entries(entry.replace ?? {})) text = text.replaceAll(from, to)
  return text
    .replaceAll(/\b(?:7717|7718|7719)\b/g, String(port))
    .replaceAll(/(warrant (?:up (?:http|console|gateway)|mcp serve))/g, `$1 --listen ${port}`)
    .replaceAll(/^(warrant up http .*)&$/gm, `$1 2>server.log &\n${healthy}`)
}

const question = /\[y\/N\]|(?:a passphrase for it|the same again|passphrase of the key \S+): /g

/** Runs it at a terminal of its own, and says yes where it is asked. */
async function run(script, { cwd, entry }) {
  writeFileSync(join(cwd, 'page.sh'), `trap 'kill $(jobs -p) 2>/dev/null || :' EXIT\n${script}\n`)
  const env = {
    ...process.env,
    PATH: `${join(modules, '.bin')}:${process.env.PATH}`,
    // `npm root -g` of one who has installed it so.
    npm_config_prefix: join(here, 'prefix'),
    // Someone whom no page speaks of.
    WARRANT_USER: 'olga',
    CHECKOUT: root,
    XDG_CONFIG_HOME: join(cwd, '.config'),
  }
  const words = ['-qefc', 'bash -eu page.sh', '/dev/null']
  const child = spawn('script', words, { cwd, env, detached: true })
  const late = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), lateMs)
  let text = ''
  let answered = 0
  let isEnded = false
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part
    const questions = [...text.matchAll(question)].slice(answered)
    answered += questions.length
    for (const [asked] of questions) child.stdin.write(asked === '[y/N]' ? 'y\n' : 'passphrase\n')
    // What serves until it is ended: Ctrl-C.
    if (isEnded || entry.until === undefined || !text.includes(entry.until)) return
    isEnded = true
    child.stdin.write('\u0003')
  })
  child.stdin.on('error', () => undefined)
  const [code] = await once(child, 'close')
  clearTimeout(late)
  return { code, text }
}

const interrupted = 130

/** What only a program that is broken prints. */
const broken = /Cannot find (?:module|package)|ERR_MODULE|internal_error|is not a function|\n +at /

async function tried(name, lines) {
  const entry = { ...pages, ...examples }[name]
  if (entry === undefined) return `${name}: say in pages.json how a reader comes to run it`
  if (entry.not !== undefined) return null
  const cwd = join(here, `of ${name}`.replaceAll(/\W/g, '-'))
  const commands = commandsOf(lines)
  const isNew = commands.some((command) => command.startsWith('warrant init'))
  if (isNew) mkdirSync(cwd)
  else cpSync(join(here, 'begun'), cwd, { recursive: true })
  for (const shared of ['node_modules', 'examples', 'test']) {
    symlinkSync(join(here, shared), join(cwd, shared))
  }
  const script = scriptOf(entry, commands, await freePort())
  const { code, text } = await run(script, { cwd, entry })
  const says = entry.says === undefined || text.includes(entry.says)
  const isCode = code === (entry.code ?? 0) || (entry.until !== undefined && code === interrupted)
  const isRight = isCode && says && !broken.test(text)
  if (isRight) return null
  return `${name}: ended with ${code}\n--- typed:\n${script}\n--- printed:\n${text.slice(-3_000)}`
}

const names = readdirSync(docs, { recursive: true }).filter((name) => name.endsWith('.md'))
const found = names.sort().map((name) => [name, firstBlock(readFileSync(join(docs, name), 'utf8'))])
const withCommand = [
  ...found.filter(([, lines]) => lines !== null),
  ...readdirSync(join(installed, 'examples')).map((name) => [name, [examples[name]?.run ?? '']]),
]
const failed = Object.keys({ ...pages, ...examples })
  .filter((name) => !withCommand.some(([one]) => one === name))
  .map((name) => `${name}: there is no such page or example, or no command in it`)
mkdirSync(join(here, 'prefix/lib'), { recursive: true })
symlinkSync(modules, join(here, 'prefix/lib/node_modules'))
mkdirSync(join(here, 'begun'))
const begun = { cwd: join(here, 'begun'), entry: {} }
const { code, text } = await run('warrant init', begun)
if (code !== 0) throw new Error(`warrant init ended with ${code}: ${text}`)
const waiting = [...withCommand]
async function inTurn() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const fault = await tried(...next)
    if (fault !== null) failed.push(fault)
  }
}
await Promise.all(Array.from({ length: atOnce }, inTurn))
if (failed.length > 0)
  throw new Error(`of ${withCommand.length} pages and examples:\n${failed.join('\n\n')}`)
const untyped = withCommand.filter(([name]) => ({ ...pages, ...examples })[name].not !== undefined)
process.stdout.write(
  `${withCommand.length - untyped.length} pages and examples run, ` +
    `${untyped.length} need what is not here\n`,
)
