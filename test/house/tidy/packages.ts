// The packages: which folder each is, which others it may import, which packages of npm it knows,
// and whether it is pure. The table is in order: a package imports only those before it, so there
// is no circle. Each has a page, README.md, and can be read whole.
import { posix } from 'node:path'
import { sourcesOf, type Files } from './source.ts'

export interface Package {
  readonly folder: string
  /** The folders of those that it may import, without `shared/` and `services/`. */
  readonly on: readonly string[]
  /** Whether all of it gives the same for the same, or only these folders. */
  readonly pure: boolean | readonly string[]
  /** Packages of npm, beside `zod`. */
  readonly npm: readonly string[]
}

type Row = readonly [folder: string, on: string, more?: Partial<Package>]

const pure = { pure: true } as const
const thinking = 'schemas record conditions knowledge firewall rules work messages state stages'
const running = 'ports system log runtime serving authoring replay gates gateway outreach'
const everything = `${thinking} shell present ${running} neo4j health judging wiring operations`

// One row a package, from what is pure to what people start.
const rows: readonly Row[] = [
  ['schemas', '', pure],
  [
    'shared/record',
    'schemas',
    {
      pure: true,
      npm: [
        '@bufbuild/cel',
        '@bufbuild/protobuf',
        '@bufbuild/re2',
        '@noble/curves',
        '@noble/hashes',
        'ajv',
        'ajv-formats',
        'lru-cache',
        'wink-lemmatizer',
      ],
    },
  ],
  ['shared/conditions', 'schemas record', { pure: true, npm: ['lru-cache'] }],
  ['shared/knowledge', 'schemas record conditions', pure],
  ['shared/firewall', 'schemas record knowledge', pure],
  ['shared/rules', 'schemas record conditions knowledge', { pure: true, npm: ['lru-cache'] }],
  ['shared/work', 'schemas record knowledge firewall rules', { pure: true, npm: ['markdown-it'] }],
  ['shared/messages', 'schemas record knowledge rules work', pure],
  [
    'shared/state',
    'schemas record knowledge rules work messages',
    { pure: true, npm: ['lru-cache'] },
  ],
  ['shared/stages', 'schemas record conditions knowledge rules work messages state', pure],
  ['shared/shell', 'schemas record knowledge firewall', { pure: true, npm: ['jsonc-parser'] }],
  ['shared/present', 'schemas record knowledge firewall rules work messages state stages', pure],
  ['shared/ports', 'schemas record knowledge firewall rules', pure],
  [
    'shared/system',
    'schemas record firewall rules ports',
    { npm: ['@swc/wasm-typescript', 'acorn', 'ulid', 'yaml'] },
  ],
  [
    'shared/log',
    'schemas record ports system',
    {
      npm: ['@nats-io/jetstream', '@nats-io/nkeys', '@nats-io/transport-node', 'libsql'],
    },
  ],
  [
    'shared/runtime',
    'schemas record rules messages state stages ports system log',
    { npm: ['lru-cache', 'pino'] },
  ],
  [
    'shared/serving',
    'schemas record firewall rules ports system runtime',
    { npm: ['@hono/node-server', 'hono', 'jose', 'openid-client'] },
  ],
  [
    'shared/authoring',
    'schemas record conditions knowledge rules state ports system runtime',
    { pure: ['allowed', 'changes', 'lint'], npm: [] },
  ],
  [
    'shared/replay',
    'schemas record knowledge rules work messages state stages ports system log runtime authoring',
  ],
  ['shared/gates', 'schemas record rules work state ports system replay', { npm: ['acorn'] }],
  [
    'shared/gateway',
    'schemas record knowledge firewall rules messages state stages ports system runtime replay',
    { npm: ['@modelcontextprotocol/client', 'lru-cache'] },
  ],
  [
    'shared/outreach',
    'schemas record rules state ports system runtime',
    { pure: ['agenda'], npm: ['http_ece', 'nodemailer'] },
  ],
  [
    'shared/neo4j',
    'schemas record knowledge state ports runtime replay',
    { pure: ['projection'], npm: ['neo4j-driver'] },
  ],
  [
    'shared/health',
    'schemas record work messages state stages ports system log runtime serving replay',
    {
      npm: [
        '@opentelemetry/api',
        '@opentelemetry/exporter-trace-otlp-http',
        '@opentelemetry/resources',
        '@opentelemetry/sdk-trace-node',
        'hono',
        'lru-cache',
        'prom-client',
      ],
    },
  ],
  [
    'shared/judging',
    'schemas record knowledge rules shell ports system runtime authoring gateway health',
    { npm: ['unbash'] },
  ],
  ['shared/wiring', 'schemas record ports system runtime authoring replay gateway outreach neo4j'],
  // Read models and what they are asked: the same for every door.
  [
    'shared/operations',
    'schemas record conditions knowledge rules work messages state stages present ports runtime ' +
      'serving authoring replay health',
  ],
  // The digest of a callback module covers one file, so it must be whole by itself.
  ['seeds', '', pure],
  ['services/workers', 'schemas record rules work messages state stages ports runtime gates'],
  ['services/client', `${everything} workers`],
  [
    'services/frameworks',
    'schemas record present replay health client',
    {
      npm: [
        '@anthropic-ai/claude-agent-sdk',
        '@langchain/core',
        '@langchain/langgraph',
        '@openai/agents-core',
        'ai',
        'langchain',
      ],
    },
  ],
  ['services/testing', `${everything} workers client`],
  [
    'services/cases',
    'schemas record knowledge rules present ports system authoring replay stages workers',
  ],
  ['services/hooks', 'shell'],
  ['services/http', `${everything} client`, { npm: ['hono'] }],
  ['services/mcp', `${everything} client`, { npm: ['@modelcontextprotocol/server'] }],
  [
    'services/console/page',
    `${everything} workers`,
    { npm: ['@dagrejs/dagre', '@preact/signals', 'preact'] },
  ],
  ['services/console', `${everything} workers client`, { npm: ['hono', 'rolldown'] }],
  // What plays is a program like any other: it has what is published.
  ['services/demo', 'client'],
  [
    'services/cli/terminal',
    `${everything} workers client`,
    { npm: ['commander', 'picocolors', 'string-width'] },
  ],
  ['services/cli/offline', `${everything} cli/terminal`, { npm: ['commander'] }],
  [
    'services/cli/agents',
    `${everything} workers client hooks mcp cli/terminal cli/offline`,
    { npm: ['commander'] },
  ],
  [
    'services/cli/rules',
    `${everything} workers cases client cli/terminal cli/offline cli/agents`,
    { npm: ['commander'] },
  ],
  [
    'services/cli/run',
    `${everything} workers client http console cli/terminal cli/agents cli/rules`,
    { npm: ['commander'] },
  ],
  [
    'services/cli/people',
    `${everything} client cli/terminal cli/agents cli/rules cli/run`,
    { npm: ['commander'] },
  ],
  [
    'services/cli/demo',
    `${everything} workers client console demo cli/terminal cli/run`,
    { npm: ['commander'] },
  ],
  [
    'services/cli',
    'schemas cli/terminal cli/offline cli/agents cli/rules cli/run cli/people cli/demo',
    { npm: ['commander'] },
  ],
]

const nameOf = (folder: string): string => folder.replace(/^(?:shared|services)\//, '')

export const packages: ReadonlyMap<string, Package> = new Map(
  rows.map(([folder, on, more]) => {
    const names = on.split(' ').filter((one) => one !== '')
    return [nameOf(folder), { folder: `${folder}/`, on: names, pure: false, npm: [], ...more }]
  }),
)

// The longest folder first: a package may lie within another.
const byFolder = [...packages]
  .map(([name, { folder }]) => ({ name, folder }))
  .toSorted((one, other) => other.folder.length - one.folder.length)

/** The package that a file belongs to; null for tests, benches and what lies at the top. */
export function packageOfFile(path: string): string | null {
  return byFolder.find(({ folder }) => path.startsWith(folder))?.name ?? null
}

/** Whether a file is pure: it gives the same for the same, here and in a browser. */
export function isPure(path: string): boolean {
  if (/^services\/workers\/[^/]+\/decider\.ts$/.test(path)) return true
  const found = packages.get(packageOfFile(path) ?? '')
  if (found === undefined) return false
  const { pure: whole, folder } = found
  if (typeof whole === 'boolean') return whole
  return whole.some((one) => path.startsWith(`${folder}${one}/`))
}

const platform = '#platform/'
export const halves = 'shared/record/platform/'

/** The file that an import names, as a path from the root; null for a package of npm. */
export function targetOf(from: string, path: string): string | null {
  // Of two halves that stand for each other, that of Node.
  if (from.startsWith(platform)) return `${halves}${from.slice(platform.length)}-node.ts`
  if (from.startsWith('.')) return posix.join(posix.dirname(path), from)
  if (!from.startsWith('#')) return null
  const [first = '', ...rest] = from.slice(1).split('/')
  const found = packages.get(first)
  const top = found === undefined ? `services/${first}/` : found.folder
  return `${top}${rest.join('/')}.ts`
}

/** Every package of the table that imports one after it, so that there could be a circle. */
export function orderHolds(table: ReadonlyMap<string, Pick<Package, 'on'>>): readonly string[] {
  const before = new Set<string>()
  return [...table].flatMap(([name, { on }]) => {
    const late = on.filter((one) => !before.has(one))
    before.add(name)
    return late.map((one) => `${name} may import ${one}, which stands after it or nowhere`)
  })
}

const linesMax = 12_000
const pageLinesMax = 100

/** Every package that lacks its page, or is more than one reader holds. */
export function packagesCanBeRead(files: Files): readonly string[] {
  const lines = new Map<string, number>()
  for (const { path, text } of sourcesOf(files)) {
    const name = packageOfFile(path)
    if (name !== null) lines.set(name, (lines.get(name) ?? 0) + text.split('\n').length - 1)
  }
  return [...packages].flatMap(([name, { folder }]) => {
    const page = files.get(`${folder}README.md`)
    const count = lines.get(name) ?? 0
    return [
      ...(page === undefined ? [`${folder}README.md is not there: write what it is for`] : []),
      ...((page ?? '').split('\n').length > pageLinesMax
        ? [`${folder}README.md has more than ${pageLinesMax} lines`]
        : []),
      ...(count > linesMax ? [`${folder} has ${count} lines: at most ${linesMax}`] : []),
    ]
  })
}
