// The walks of people who have the installed package and nothing else, each in an empty folder: to
// a first allow, a denial that is mended, an approval, a tool over MCP, a coding agent's hook, an
// auditor's question. Prints for each walk its commands, edits of a file, seconds on this machine,
// lines of output and words of `words.md` that a person meets; fails where a walk does not arrive,
// or takes more commands than a person should need.
//   node walks.mjs, in a folder with the package and those of MCP in `node_modules`
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const installed = join(process.cwd(), 'node_modules/warrant-runtime')
const main = join(installed, 'dist/services/cli/main.js')
const words = readFileSync(join(installed, 'docs/reference/words.md'), 'utf8')
const terms = [...words.matchAll(/^\| ([a-z][a-z ]+?) \|/gm)].map(([, term]) => term)
const root = mkdtempSync(join(tmpdir(), 'warrant-walks-'))

class Walk {
  commands = 1 // the installation
  edits = 0
  seconds = 0
  said = ''

  constructor(name) {
    this.folder = join(root, name.replaceAll(/\W+/g, '-'))
    mkdirSync(this.folder)
    this.env = {
      ...process.env,
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      WARRANT_USER: 'ann',
      CLAUDE_PROJECT_DIR: this.folder,
    }
  }

  /** What it prints; throws where it ends with another code. */
  warrant(args, { code = 0, input = '' } = {}) {
    this.commands += 1
    return this.#run(process.execPath, [main, ...args], { code, input })
  }

  /** What a host runs by itself: no command of a person. */
  host(line, { code = 0, input = '' } = {}) {
    return this.#run('/bin/sh', ['-c', line], { code, input })
  }

  /** What a server that a host keeps open answers, up to the text that is waited for. */
  async served(command, args, { input, until }) {
    const server = spawn(command, args, { cwd: this.folder, env: this.env })
    let said = ''
    await new Promise((resolve, reject) => {
      for (const stream of [server.stdout, server.stderr]) {
        stream.setEncoding('utf8').on('data', (part) => {
          said += part
          if (until.test(said)) resolve()
        })
      }
      server.once('close', () => reject(new Error(`the server ended: ${said}`)))
      server.stdin.write(input)
    })
    server.kill()
    this.said += said
  }

  edit(file, change) {
    this.edits += 1
    const path = join(this.folder, file)
    const json = JSON.parse(readFileSync(path, 'utf8'))
    change(json)
    writeFileSync(path, `${JSON.stringify(json, null, 2)}\n`)
  }

  #run(program, args, { code, input }) {
    const began = performance.now()
    const { folder: cwd, env } = this
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd,
      env,
      input,
      encoding: 'utf8',
    })
    this.seconds += (performance.now() - began) / 1_000
    this.said += stdout + stderr
    if (status === code) return stdout + stderr
    throw new Error(
      `${args.slice(-6).join(' ')}: ended with ${status}, not ${code}\n${stdout}${stderr}`,
    )
  }
}

const ask = [
  'ask',
  'send_email',
  '--arg',
  'to=ann@example.org',
  '--justification',
  'Ann asked for it',
]
const signed = ['--key', 'ann', '--yes']
const has = (text, what) => {
  if (!what.test(text)) throw new Error(`${what} is not in\n${text}`)
  return what.exec(text)
}

const rolesOf =
  (roles) =>
  ({ principals }) => {
    principals.find(({ id }) => id === 'my-agent').roles = roles
  }

/** How many commands each takes at most, and how it goes. */
const walks = {
  'first allow': {
    most: 3,
    go: (walk) => {
      walk.warrant(['init'])
      has(walk.warrant(ask), /ALLOW/)
    },
  },
  'a denial, mended': {
    most: 8,
    go: (walk) => {
      walk.warrant(['init'])
      // Taken out of the file, a role stays in the log, and what is printed says so.
      walk.edit('warrant/catalog.json', rolesOf([]))
      has(walk.warrant(['apply', 'warrant', ...signed]), /roles "writer"/)
      walk.warrant(['apply', 'warrant', '--prune', ...signed])
      // What it lacks, and where that is written: the file and the line.
      const denied = walk.warrant(ask, { code: 3 })
      const [, role] = has(denied, /role `(\w+)`[^]*catalog\.json:\d+/)
      walk.edit('warrant/catalog.json', rolesOf([role]))
      walk.warrant(['apply', 'warrant', ...signed])
      has(walk.warrant(ask), /ALLOW/)
    },
  },
  'first approval': {
    most: 8,
    go: (walk) => {
      walk.warrant(['init'])
      walk.edit('warrant/catalog.json', ({ capabilities }) => {
        capabilities[0].conditions = [{ name: 'look', when: 'true', effect: 'confirm' }]
      })
      walk.warrant(['apply', 'warrant', ...signed])
      const [, intent] = has(walk.warrant(ask, { code: 4 }), /warrant approve (\S+)/)
      has(walk.warrant(['approve', intent, ...signed]), /ALLOW/)
    },
  },
  'first tool over MCP': {
    most: 8,
    go: async (walk) => {
      // The packages of MCP, which are installed beside.
      walk.commands += 1
      const fixture = fileURLToPath(new URL('../mcp/fixture-server.mjs', import.meta.url))
      walk.warrant(['init'])
      const server = [process.execPath, fixture, join(walk.folder, 'calls')]
      walk.warrant(['mcp', 'add', 'files', ...signed, '--', ...server])
      const { mcpServers } = JSON.parse(readFileSync(join(walk.folder, '.mcp.json'), 'utf8'))
      const { command, args } = mcpServers.files
      const message = (id, method, params) => JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const clientInfo = { name: 'walk', version: '1' }
      const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
      const input = `${message(1, 'initialize', hello)}\n${message(2, 'tools/list', {})}\n`
      await walk.served(command, args, { input, until: /"tools":\[\{/ })
    },
  },
  'first hook': {
    most: 8,
    go: (walk) => {
      walk.warrant(['init', '--for', 'claude-code'])
      const settings = JSON.parse(readFileSync(join(walk.folder, '.claude/settings.json'), 'utf8'))
      const { command } = settings.hooks.PreToolUse[0].hooks[0]
      const event = (tool_name, tool_input, id) =>
        JSON.stringify({
          hook_event_name: 'PreToolUse',
          session_id: 'walk',
          tool_use_id: id,
          cwd: walk.folder,
          tool_name,
          tool_input,
        })
      has(walk.host(command, { input: event('Bash', { command: 'ls' }, 'a') }), /"allow"/)
      const write = (path, id) =>
        event('Write', { file_path: join(walk.folder, path), content: 'a' }, id)
      const asked = walk.host(command, { input: write('a.ts', 'b'), code: 2 })
      const [, intent] = has(asked, /warrant approve (\w+)/)
      walk.warrant(['approve', intent, '--routine', ...signed])
      has(walk.host(command, { input: write('b.ts', 'c') }), /"allow"/)
    },
  },
  'who approved what': {
    most: 8,
    go: (walk) => {
      walk.warrant(['init'])
      walk.edit('warrant/catalog.json', ({ capabilities }) => {
        const properties = { to: { type: 'string' }, amount: { type: 'number' } }
        capabilities[0].argsSchema = { type: 'object', properties }
        capabilities[0].conditions = [
          { name: 'large', when: 'args.amount > 100.0', effect: 'confirm' },
        ]
      })
      walk.warrant(['apply', 'warrant', ...signed])
      const asked = walk.warrant([...ask, '--arg', 'amount=250'], { code: 4 })
      walk.warrant(['approve', has(asked, /warrant approve (\S+)/)[1], ...signed])
      const where = 'args.amount > 100 && size(approvedBy) > 0'
      has(
        walk.warrant(['log', '--decisions', '--since', '7d', '--where', where]),
        /approved by `ann`/,
      )
    },
  },
}

const columns = ['walk', 'commands', 'edits', 'seconds', 'lines', 'words']
const row = (cells) =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(22) : cell.padStart(9))).join('')
const failed = []
process.stdout.write(`${row(columns)}\n`)
for (const [name, { most, go }] of Object.entries(walks)) {
  const walk = new Walk(name)
  try {
    await go(walk)
    if (walk.commands > most) throw new Error(`${walk.commands} commands, and at most ${most}`)
  } catch (error) {
    failed.push(`${name}: ${error.message}`)
  }
  const met = terms.filter((term) => new RegExp(`\\b${term}s?\\b`, 'i').test(walk.said))
  const { commands, edits, seconds, said } = walk
  const numbers = [commands, edits, seconds.toFixed(1), said.split('\n').length, met.length]
  process.stdout.write(`${row([name, ...numbers.map(String)])}\n`)
}
rmSync(root, { recursive: true })
if (failed.length > 0) throw new Error(`walks that do not arrive:\n${failed.join('\n\n')}`)
