// What the playground has to begin with: the examples of rules with their test cases, and each seed
// with an agent and a request of its own, since a seed has neither.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { JudgingTexts } from '#cases/judged'
import { CatalogFile } from '#schemas/catalog'
import { GraphFile } from '#schemas/graph'

export interface Example {
  /** The folder, from the root of the checkout. */
  readonly name: string
  readonly texts: JudgingTexts
}

const asked = `# As in a test case: \`agent\`, \`session\` and \`now\` may stand here too.
agent: helper
request:
  tool: send_email
  args: { to: tom@other.example }
  justification: Tom asked for the price list
`
const deleted = `agent: bot
request:
  tool: files.delete
  args: { paths: [a.o, b.o] }
  justification: they are in the way of the build
  cardinality: multiple
`
const before = `# As \`given\` in a test case: \`evidence\` of the session, requests \`before\`,
# answers of \`callbacks\`.
`
const withRequests: readonly (readonly [name: string, request: string, history: string])[] = [
  [
    'examples/five-rules',
    asked,
    `${before}before:
  - { tool: send_email, args: { to: bob@example.com }, justification: Bob asked for it, times: 3 }
`,
  ],
  [
    'examples/policy-in-ci',
    deleted,
    `${before}callbacks:
  notWhileBuilding: { passed: true }
`,
  ],
]

/** In the order in which they are offered. */
export function examplesIn(root: string): readonly Example[] {
  return [
    ...withRequests.map(([name, request, history]) => {
      const folder = join(root, name)
      const [file = ''] = readdirSync(join(folder, 'tests'))
      const cases = readFileSync(join(folder, 'tests', file), 'utf8')
      return { name, texts: { ...filesOf(folder), request, history, cases } }
    }),
    ...readdirSync(join(root, 'seeds'), { recursive: true, encoding: 'utf8' })
      .map((name) => `seeds/${name}`)
      .filter((name) => ['catalog.json', 'graph.json'].some((one) => isIn(root, name, one)))
      .toSorted()
      .map((name) => ({ name, texts: withAgent(filesOf(join(root, name))) })),
  ]
}

const isIn = (root: string, name: string, file: string) => existsSync(join(root, name, file))

function filesOf(folder: string): Pick<JudgingTexts, 'catalog' | 'graph'> {
  const [catalog = '', graph = ''] = ['catalog.json', 'graph.json'].map((name) => {
    const path = join(folder, name)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  })
  return { catalog, graph }
}

const Named = z.looseObject({ id: z.string() })

function withAgent({ catalog, graph }: Pick<JudgingTexts, 'catalog' | 'graph'>): JudgingTexts {
  const file = CatalogFile.parse(JSON.parse(catalog === '' ? '{}' : catalog))
  const first = Named.safeParse(file.capabilities[0]).data?.id
  const added = first === undefined ? capabilityOf(graph) : ''
  return {
    catalog,
    graph,
    request: `agent: helper\nrequest:\n  tool: ${first ?? 'try'}\n  args: {}\n`,
    history: `${before}catalog:
  principals:
    - { id: someone }
    - { id: helper, owner: someone, roles: [reader, writer] }
${added}`,
    cases: '',
  }
}

/** A seed of a graph alone has no tool that needs what it knows. */
function capabilityOf(graph: string): string {
  const { primitives } = GraphFile.parse(JSON.parse(graph))
  const concepts = JSON.stringify(primitives.slice(0, 2).map(({ name }) => name))
  return `  capabilities:\n    - { id: try, safetyClass: READ, concepts: ${concepts} }\n`
}
