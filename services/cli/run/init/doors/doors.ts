// The doors of `init --for`, by name.
import { assert } from '#record/fault'
import { asCalled } from '#wiring/called'
import { hostNamed } from '#shell/hooks/hosts/hosts'
import type { InitDoor, DoorPlace, DoorStep } from './door.ts'
import type { Host } from '#shell/hooks/hosts/host'
import { hooksPut, hooksTakenOut } from '#cli/agents/hook/install'
import { hookedAgent } from '#cli/agents/hook/log-notes'
import { hookedStarter } from '../hook-rules.ts'
import { withRuntime } from '#cli/terminal/opening/opened'
import { shownPath } from '#cli/terminal/shown-path'
import { settingsOf, withEntries } from '../../mcp/add.ts'
import { usualMcpHost } from '../../mcp/mcp-hosts.ts'
import { bareEntry, behindEntry, startedIn } from '../../mcp/proxied-entry.ts'
import { putBehind, type NamedServer } from '../../mcp/put-behind.ts'
import { starterAgent, exampleCall, type ToolWords } from '../starter.ts'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Line } from '#cli/terminal/line'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { shellWord } from '#cli/terminal/hint'
import { utc } from '#present/wording'
import { createToken, revokeToken, tokenEntries, tokenRefusal } from '#serving/token-file'
import { tokenFileFor } from '#cli/agents/tokens/run'

// The door over HTTP: a login in a file of the log's own folder, which no one commits.

const httpAddress = 'http://127.0.0.1:7718'
/** By which the login is known again. */
const loginName = 'init'
const loginMs = 30 * 86_400_000

const loginFileName = `${starterAgent.id}.token`

const loginDoor: InitDoor = {
  isHooked: false,
  starter: (words) => Promise.resolve({ agent: starterAgent, words }),
  async open(place) {
    const login = await loginFor(place)
    const next = [{ warrant: 'up http' }, { shell: curlFor(place.words, login.file) }]
    return { made: [login.line], cautions: [], next }
  },
  close: loginTaken,
}

/** A new login in place of the one before. */
async function loginFor(place: DoorPlace) {
  await loginTaken(place)
  const now = Date.now()
  const tokens = tokenFileFor(place)
  const asked = { principal: starterAgent.id, name: loginName, now, expiresAt: now + loginMs }
  const { token } = await createToken(tokens, asked)
  const file = loginFileIn(place)
  await writeFile(file, `${token}\n`, { mode: 0o600, flag: 'wx' })
  const shown = shownPath(file)
  const until = utc(asked.expiresAt)
  return { file, line: `  ${shown}: the login of ${starterAgent.id} over HTTP, until ${until}` }
}

/** Ends the logins that were made here. */
async function loginTaken(place: DoorPlace): Promise<readonly string[]> {
  const now = Date.now()
  const tokens = tokenFileFor(place)
  const ours = (await tokenEntries(tokens)).filter((entry) => {
    const isOurs = entry.principal === starterAgent.id && entry.name === loginName
    return isOurs && tokenRefusal(entry, now) === null
  })
  for (const { id } of ours) await revokeToken(tokens, id, now)
  await rm(loginFileIn(place), { force: true })
  return ours.map(({ id, principal }) => `revoked: the login ${id} of ${principal}`)
}

function loginFileIn({ home }: DoorPlace): string {
  return join(home, loginFileName)
}

function curlFor(words: ToolWords, file: string): string {
  const { argument, justification } = exampleCall(words)
  const [name = '', value] = argument
  const body = JSON.stringify({ tool: words.tool, args: { [name]: value }, justification })
  const login = `-H "authorization: Bearer $(cat ${shellWord(shownPath(file))})"`
  const type = "-H 'content-type: application/json'"
  return `curl -s ${httpAddress}/v1/intents ${login} ${type} -d ${shellWord(body)}`
}

export function doorNamed(name: string): InitDoor {
  const host = hostNamed(name)
  const door = host === null ? others.get(name) : hookDoor(host)
  assert(door !== undefined, 'the command line takes no other')
  return door
}

// The door of a coding agent: its hook, on the log of the project.

function hookDoor(host: Host): InitDoor {
  return {
    isHooked: true,
    starter: async () => ({ agent: await hookedStarter(), words: null }),
    async open({ log, options }) {
      const put = await hooksPut({ ...options, for: host, log, as: hookedAgent })
      const made = [
        `  ${put.file}: ${host.title} asks before each tool, as ${hookedAgent}`,
        'Reading and looking are allowed; for most else it asks you, and you answer with',
        asCalled('`warrant reviews`, `warrant approve`. Its own lists override no denial.'),
      ]
      const next = [{ warrant: `hook test --for ${host.name}` }]
      return { made, cautions: put.cautions, next }
    },
    async close({ options }) {
      const [file = '', ...changed] = await hooksTakenOut({ ...options, for: host })
      return [changed.length === 0 ? file : `${file} our hooks are taken out`]
    },
  }
}

// The door before servers of MCP: those that the settings of Claude Code list are put behind it.

const mcpDoor: InitDoor = {
  isHooked: false,
  starter: () => Promise.resolve({ agent: starterAgent, words: null }),
  async open({ log, options }) {
    const settings = await settingsOf(usualMcpHost)
    const { file, servers: all } = settings
    const servers = [...all].flatMap(([name, entry]): readonly NamedServer[] => {
      const started = behindEntry(entry) ?? startedIn(entry)
      return started === null ? [] : [{ name, ...started }]
    })
    const cautions = [...all.keys()].flatMap((name) => {
      const isLeft = servers.every((one) => one.name !== name)
      return isLeft ? [`\`${name}\` in ${file} is no command, and IS NOT BEHIND the proxy`] : []
    })
    const more = { warrant: 'mcp add NAME -- COMMAND' }
    if (servers.length === 0) {
      return { made: [`  ${shownPath(file)} lists no server yet`], cautions, next: [more] }
    }
    const opened = { ...options, log }
    const made = await withRuntime(opened, {}, (runtime) => {
      const agent = starterAgent.id
      return putBehind(runtime, { ...settings, servers, agent, classes: {}, options: opened })
    })
    return { made, cautions, next: [{ shell: 'claude' }] }
  },
  async close() {
    const settings = await settingsOf(usualMcpHost)
    const ours = [...settings.servers].flatMap(([name, entry]) => {
      const behind = behindEntry(entry)
      return behind === null ? [] : [{ name, entry: bareEntry(behind) }]
    })
    await withEntries(settings, ours)
    const names = ours.map(({ name }) => name).join(', ')
    return [
      `${shownPath(settings.file)}: without the proxy again: ${names || 'none was behind it'}`,
    ]
  },
}

// The doors of programs: one file that runs, with one tool behind a guard.

interface Program {
  readonly file: string
  readonly text: (words: ToolWords) => string
}

const node: Program = { file: 'agent.mjs', text: nodeText }
const python: Program = { file: 'agent.py', text: pythonText }

const nodeDoor: InitDoor = {
  isHooked: false,
  starter: startingWith,
  async open(place) {
    const made = [await written(node, place)]
    // A program finds the package from where it lies, and the command may be of elsewhere.
    const first = isInstalledAt(place.base) ? '' : 'npm install warrant-runtime && '
    return { made, cautions: [], next: [{ shell: `${first}node ${node.file}` }] }
  },
  close: async (place) => [await taken(node, place)],
}

const pythonDoor: InitDoor = {
  isHooked: false,
  starter: startingWith,
  async open(place) {
    const login = await loginFor(place)
    const made = [login.line, await written(python, place)]
    const client = shellWord(shownPath(join(packageRoot(), 'clients', 'python')))
    const venv = 'python3 -m venv .venv && .venv/bin/pip install --quiet'
    const next: readonly DoorStep[] = [
      { warrant: 'up http' },
      { shell: `${venv} ${client} && .venv/bin/python ${python.file}` },
    ]
    return { made, cautions: [], next }
  },
  close: async (place) => [...(await loginTaken(place)), await taken(python, place)],
}

function startingWith(words: ToolWords) {
  return Promise.resolve({ agent: starterAgent, words })
}

async function written(program: Program, { base, words }: DoorPlace): Promise<Line> {
  const file = join(base, program.file)
  if (existsSync(file)) return `  ${shownPath(file)}: it was there, and is left as it is`
  await writeFile(file, program.text(words), { flag: 'wx' })
  return `  ${shownPath(file)}: a program that calls ${words.tool} behind a guard`
}

/** One that someone has worked on stays. */
async function taken(program: Program, { base, words }: DoorPlace): Promise<Line> {
  const file = join(base, program.file)
  const shown = shownPath(file)
  if (!existsSync(file)) return `${shown}: it is not there`
  const isOurs = (await readFile(file, 'utf8')) === program.text(words)
  if (!isOurs) return `${shown}: it was changed, and is left as it is`
  await rm(file)
  return `${shown}: removed`
}

function isInstalledAt(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', 'warrant-runtime'))) return true
    if (at === dirname(at)) return false
  }
}

function exampleOf(words: ToolWords) {
  const { argument, justification } = exampleCall(words)
  const [name = '', value = ''] = argument
  return { name, value, justification }
}

/** A text of JavaScript, as it is mostly written. */
function singly(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`
}

function nodeText(words: ToolWords): string {
  const { name, value, justification } = exampleOf(words)
  return `// An agent with one tool, before which Warrant stands. Run it: node agent.mjs
import { connect, Pending, Refused } from 'warrant-runtime'

const warrant = await connect({ as: '${starterAgent.id}' })

const tool = warrant.guard(${singly(words.tool)}, ({ ${name} }) => {
  // The tool itself goes here: it runs on an allow alone, once, with what was judged.
  return \`done, with \${${name}}\`
})

const why = { justification: ${singly(justification)} }
try {
  console.log(await tool({ ${name}: ${singly(value)} }, why))
} catch (error) {
  if (!(error instanceof Refused || error instanceof Pending)) throw error
  // For the language model that called the tool.
  console.log(error.forModel())
} finally {
  await warrant.close()
}
`
}

function pythonText(words: ToolWords): string {
  const { name, value, justification } = exampleOf(words)
  return `"""An agent with one tool, behind Warrant. Run \`warrant up http\`, then this."""

from pathlib import Path

from warrant_client import Denied, Pending, Warrant

login = Path(__file__).parent / ".warrant" / "${loginFileName}"

with Warrant("${httpAddress}", token=login.read_text().strip()) as warrant:

    @warrant.guard(${JSON.stringify(words.tool)}, justification=${JSON.stringify(justification)})
    def tool(${name}: str) -> str:
        # The tool itself goes here: it runs on an allow alone, once, with what was judged.
        return f"done, with {${name}}"

    try:
        print(tool(${name}=${JSON.stringify(value)}))
    except Denied as denied:
        print(denied.for_model)  # for the language model that called the tool
    except Pending as pending:
        print(f"people were asked; the verdict will be there: {pending.intent}")
`
}

const others: ReadonlyMap<string, InitDoor> = new Map([
  ['mcp', mcpDoor],
  ['http', loginDoor],
  ['node', nodeDoor],
  ['python', pythonDoor],
])
