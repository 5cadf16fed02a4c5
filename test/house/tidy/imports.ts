// Who may import whom. The alias is the layer, and imports go one way: what thinks never knows what
// runs.
import { posix } from 'node:path'
import { wholeOf } from './order.ts'
import { at, sourcesOf, type Files, type Import, type Source } from './source.ts'

interface Room {
  readonly files: RegExp
  /** Relative imports stay below this folder; null forbids them. */
  readonly folder: string | null
  /** Beginnings of what may be imported by alias. */
  readonly aliases: readonly string[]
  /** Modules of Node; `all` where the world may be touched. */
  readonly node: readonly string[] | 'all'
}

const below = ['#schemas/', '#core/']
const world = [...below, '#platform/', '#ports/', '#adapters/', '#runtime/']
/** What only services see: they alone put codes into words. */
const rendering = [...world, '#present/']
const everyStage = ['#services/stages', '#services/all-stages']

// The first room whose pattern fits a file is the file's room.
const rooms: readonly Room[] = [
  // The digest of a callback module covers one file, so it must be whole by itself.
  { files: /^seeds\//, folder: null, aliases: [], node: [] },
  {
    files: /^schemas\/generate(\.ts|\/)/,
    folder: 'schemas/',
    aliases: [],
    node: ['node:fs', 'node:path'],
  },
  { files: /^schemas\//, folder: 'schemas/', aliases: [], node: [] },
  // One half of the platform may use Node; the other is for browsers.
  {
    files: /^shared\/core\/platform\/[\w-]+-node\.ts$/,
    folder: 'shared/core/platform/',
    aliases: [],
    node: ['node:crypto', 'node:module', 'node:vm'],
  },
  { files: /^shared\/core\/platform\//, folder: 'shared/core/platform/', aliases: [], node: [] },
  // Who signs has a private key, and is never a page.
  {
    files: /^shared\/core\/kernel\/crypto\/private-key\.ts$/,
    folder: 'shared/core/',
    aliases: [...below, '#platform/'],
    node: ['node:crypto'],
  },
  {
    files: /^shared\/core\//,
    folder: 'shared/core/',
    aliases: [...below, '#platform/'],
    node: [],
  },
  {
    files: /^shared\/present\//,
    folder: 'shared/present/',
    aliases: [...below, '#present/'],
    node: [],
  },
  { files: /^shared\/ports\//, folder: 'shared/ports/', aliases: below, node: [] },
  {
    files: /^shared\/adapters\//,
    folder: 'shared/adapters/',
    aliases: [...below, '#ports/', '#adapters/'],
    node: 'all',
  },
  { files: /^shared\/runtime\//, folder: 'shared/runtime/', aliases: world, node: 'all' },
  { files: /^services\/[^/]+\/decider\.ts$/, folder: null, aliases: below, node: [] },
  {
    files: /^services\/stages\.ts$/,
    folder: null,
    aliases: [
      ...below,
      '#runtime/engine/',
      '#services/grounding/',
      '#services/verification/',
      '#services/policy/',
      '#services/confirmation/',
      '#services/learning/',
    ],
    node: [],
  },
  {
    files: /^services\/client\//,
    folder: 'services/client/',
    aliases: [...rendering, '#services/client/', '#services/stages'],
    node: 'all',
  },
  // Adapters are clients that speak the language of a framework.
  {
    files: /^services\/frameworks\//,
    folder: 'services/frameworks/',
    aliases: [...rendering, '#services/client/'],
    node: [],
  },
  {
    files: /^services\/testing\//,
    folder: 'services/testing/',
    aliases: [...world, '#services/testing/', '#services/client/', '#services/stages'],
    node: ['node:assert/strict', 'node:crypto'],
  },
  {
    // What plays is a program like any other: it has what is published.
    files: /^services\/demo\//,
    folder: 'services/demo/',
    aliases: ['#services/client/connect'],
    node: ['node:crypto'],
  },
  {
    // A door speaks through the client, as any program does.
    files: /^services\/http\//,
    folder: 'services/http/',
    aliases: [...rendering, '#services/http/', '#services/client/', '#services/stages'],
    node: 'all',
  },
  {
    files: /^services\/mcp\//,
    folder: 'services/mcp/',
    aliases: [...rendering, '#services/mcp/', '#services/client/'],
    node: 'all',
  },
  {
    // Each call of a coding agent waits for it to start.
    files: /^services\/hooks\//,
    folder: 'services/hooks/',
    aliases: ['#core/hooks/hook-answer', '#core/hooks/hosts/hosts'],
    node: ['node:fs', 'node:http', 'node:https', 'node:url'],
  },
  // What derives in a browser is the replay of everyone else, bundled.
  {
    files: /^services\/console\/page\/auditing\/deriving\//,
    folder: 'services/console/page/',
    aliases: [...world, '#present/', '#services/deciders'],
    node: [],
  },
  // What runs in a browser: of all else only what is pure.
  {
    files: /^services\/console\/page\//,
    folder: 'services/console/page/',
    aliases: [...below, '#present/'],
    node: [],
  },
  {
    files: /^services\/console\//,
    folder: 'services/console/',
    aliases: [...rendering, '#services/console/', '#services/client/', ...everyStage],
    node: 'all',
  },
  {
    files: /^services\/cli\//,
    folder: 'services/cli/',
    aliases: [
      ...rendering,
      '#services/cli/',
      '#services/client/',
      '#services/console/',
      '#services/demo/',
      '#services/gateway/',
      '#services/hooks/',
      '#services/http/',
      '#services/mcp/',
      ...everyStage,
    ],
    node: 'all',
  },
]

/** Every import that its room does not allow. */
export function importsOneWay(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    const room = roomOf(source.path)
    if (room === null) return []
    return source.imports.flatMap((one) => {
      const wrong = wrongWith(one.from, source.path, room)
      return wrong === null ? [] : [at(source, one.start, wrong)]
    })
  })
}

// Tests, measurements and examples look at everything; so may what no room is declared for
// elsewhere.
function roomOf(path: string): Room | null {
  const service = /^services\/[^/]+\//.exec(path)?.[0]
  const declared = rooms.find((room) => room.files.test(path))
  if (declared !== undefined) return declared
  if (service === undefined) return null
  return { files: /^/, folder: service, aliases: [...rendering, `#${service}`], node: 'all' }
}

function wrongWith(from: string, path: string, { folder, aliases, node }: Room): string | null {
  if (from.startsWith('.')) {
    if (!/\.tsx?$/.test(from)) return `imports ${from}: name the file, with .ts`
    const target = posix.join(posix.dirname(path), from)
    if (folder !== null && target.startsWith(folder)) return null
    return `imports ${from}: cross no border by a relative path, and none from here`
  }
  if (from.startsWith('#')) {
    if (/\.tsx?$/.test(from)) return `imports ${from}: an alias has no .ts`
    if (aliases.some((alias) => from.startsWith(alias))) return null
    return `imports ${from}: what it needs must be handed in, or belongs in a lower layer`
  }
  if (from.startsWith('node:')) {
    if (node === 'all' || node.includes(from)) return null
    return `imports ${from}: go through a port`
  }
  return null
}

interface Home {
  /** Where the package may be imported from. */
  readonly in: RegExp
  /** One file knows it, so that it can be replaced. */
  readonly oneFile: boolean
}

const product = /^(schemas|shared|services|seeds)\//

const homes: ReadonlyMap<string, Home> = new Map([
  ['zod', { in: /^(schemas|shared\/(core|present|adapters|runtime)|services)\//, oneFile: false }],
  ['commander', { in: /^services\/cli\//, oneFile: false }],
  ['yaml', { in: /^shared\/adapters\//, oneFile: true }],
  ['picocolors', { in: /^services\/cli\//, oneFile: true }],
  ['string-width', { in: /^services\/cli\//, oneFile: true }],
  ['ajv', { in: /^shared\/core\//, oneFile: true }],
  ['ajv-formats', { in: /^shared\/core\//, oneFile: true }],
  ['wink-lemmatizer', { in: /^shared\/core\/platform\//, oneFile: true }],
  ['@bufbuild/cel', { in: /^shared\/core\/platform\//, oneFile: true }],
  ['@bufbuild/protobuf', { in: /^shared\/core\/platform\//, oneFile: true }],
  ['@bufbuild/re2', { in: /^shared\/core\/platform\//, oneFile: true }],
  ['markdown-it', { in: /^shared\/core\//, oneFile: true }],
  ['@noble/curves', { in: /^shared\/core\/platform\//, oneFile: true }],
  ['@noble/hashes', { in: /^shared\/core\/platform\//, oneFile: true }],
  ['lru-cache', { in: /^shared\//, oneFile: false }],
  ['libsql', { in: /^shared\/adapters\//, oneFile: true }],
  ['@nats-io/transport-node', { in: /^shared\/adapters\//, oneFile: true }],
  ['@nats-io/jetstream', { in: /^shared\/adapters\//, oneFile: true }],
  ['@nats-io/nkeys', { in: /^shared\/adapters\//, oneFile: true }],
  ['neo4j-driver', { in: /^shared\/adapters\//, oneFile: true }],
  ['@modelcontextprotocol/client', { in: /^shared\/adapters\//, oneFile: true }],
  ['@modelcontextprotocol/server', { in: /^services\/mcp\//, oneFile: false }],
  ['@swc/wasm-typescript', { in: /^shared\/adapters\//, oneFile: true }],
  ['acorn', { in: /^shared\/adapters\//, oneFile: true }],
  ['jsonc-parser', { in: /^shared\/core\/hooks\//, oneFile: true }],
  ['unbash', { in: /^shared\/adapters\/shell\//, oneFile: false }],
  ['nodemailer', { in: /^shared\/adapters\/outreach\//, oneFile: true }],
  ['http_ece', { in: /^shared\/adapters\/outreach\//, oneFile: true }],
  ['openid-client', { in: /^shared\/adapters\/oidc\//, oneFile: true }],
  ['jose', { in: /^shared\/adapters\/oidc\//, oneFile: true }],
  ['ulid', { in: /^shared\/adapters\//, oneFile: true }],
  ['prom-client', { in: /^shared\/runtime\//, oneFile: true }],
  ['@opentelemetry/api', { in: /^shared\/runtime\//, oneFile: true }],
  ['@opentelemetry/resources', { in: /^shared\/runtime\//, oneFile: true }],
  ['@opentelemetry/sdk-trace-node', { in: /^shared\/runtime\//, oneFile: true }],
  ['@opentelemetry/exporter-trace-otlp-http', { in: /^shared\/runtime\//, oneFile: true }],
  ['hono', { in: /^(shared\/runtime|services\/(console|gateway|http))\//, oneFile: false }],
  ['@hono/node-server', { in: /^shared\/runtime\//, oneFile: true }],
  ['ai', { in: /^services\/frameworks\//, oneFile: true }],
  ['@openai/agents-core', { in: /^services\/frameworks\//, oneFile: true }],
  ['langchain', { in: /^services\/frameworks\//, oneFile: true }],
  ['@langchain/core', { in: /^services\/frameworks\//, oneFile: true }],
  ['@langchain/langgraph', { in: /^services\/frameworks\//, oneFile: true }],
  ['preact', { in: /^services\/console\/page\//, oneFile: false }],
  ['@preact/signals', { in: /^services\/console\/page\//, oneFile: false }],
  ['@dagrejs/dagre', { in: /^services\/console\/page\//, oneFile: true }],
  ['rolldown', { in: /^services\/console\//, oneFile: true }],
  ['pino', { in: /^(shared\/(adapters|runtime)|services\/cli)\//, oneFile: true }],
])

/** Every package that is imported where it has no home, or from a second file. */
export function packagesAtHome(files: Files): readonly string[] {
  const knownBy = new Map<string, string>()
  const uses = sourcesOf(files)
    .filter(({ path }) => product.test(path))
    .flatMap((source) => source.imports.map((one) => ({ source, one })))
  return uses.flatMap(({ source, one }) => {
    const name = packageOf(one)
    if (name === null) return []
    const wrong = strayed(name, source, knownBy)
    return wrong === null ? [] : [at(source, one.start, `imports ${name}: ${wrong}`)]
  })
}

function packageOf({ from }: Import): string | null {
  if (/^(\.|#|node:)/.test(from)) return null
  const parts = from.split('/')
  return parts.slice(0, from.startsWith('@') ? 2 : 1).join('/')
}

function strayed(name: string, { path }: Source, knownBy: Map<string, string>): string | null {
  const home = homes.get(name)
  if (home === undefined)
    return 'write it into the table of homes and into the page on dependencies'
  if (!home.in.test(path)) return 'go through a port or the layer that has it'
  const first = knownBy.get(name) ?? path
  knownBy.set(name, first)
  const isOther = wholeOf(first) !== wholeOf(path)
  return home.oneFile && isOther ? `only ${first} knows it` : null
}
