// The seed folder that `init` writes: an agent, its owner, and, where the agent has no tools of its
// own, one tool with its safety class. Nothing has to be known for it; the folder's own page says
// how a tool comes to depend on what is known.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonLines } from '#present/json-lines'
import { seedFileNames } from '#authoring/seed-files'
import type { SafetyClass } from '#schemas/rules/terms'
import { usage } from '#cli/terminal/failure'
import { shellWord } from '#cli/terminal/hint'
import { byName } from '#cli/rules/catalog/tools/safety-class'
import { schemaPlace } from '#cli/rules/plan/schema-place'

/** What the tool's name says: `send_email` is to `send` an `email`. */
export interface ToolWords {
  readonly tool: string
  readonly action: string
  readonly object: string
  /** What it does, as a phrase. */
  readonly does: string
  readonly safetyClass: SafetyClass
  /** Why that class. */
  readonly why: string
}

export function toolWordsOf(tool: string): ToolWords {
  const words = tool
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const [action = 'use', ...rest] = words
  const object = rest.join('_')
  const isOwn = object !== '' && object !== action && !object.startsWith(action)
  const careful = { safetyClass: 'WRITE' as const, why: 'its name does not say what it does' }
  const guess = byName(tool) ?? careful
  const does = isOwn ? `${action} ${object.replaceAll('_', ' ')}` : words.join(' ')
  return { tool, action, object: isOwn ? object : `${action}_target`, does, ...guess }
}

/** An agent as its entry of `catalog.json` has it, but for its owner. */
export interface StarterAgent {
  readonly id: string
  readonly roles: readonly string[]
  readonly via: readonly string[]
  readonly attributes?: Readonly<Record<string, string>>
}

export const toolDefault = 'send_email'

export interface Starter {
  readonly agent: StarterAgent
  /** Null where the tools come from elsewhere. */
  readonly words: ToolWords | null
}

export const starterAgent: StarterAgent = { id: 'my-agent', roles: ['writer'], via: ['http'] }

/** What the agent would need for the tool as well; null where it has all. */
export function missingRole({ safetyClass }: ToolWords): string | null {
  return safetyClass === 'DESTRUCTIVE' ? 'admin' : null
}

export interface Owner {
  readonly id: string
  /** Null where the log binds a key that no file is to name. */
  readonly publicKey: string | null
}

export function starterCatalog({ agent, words }: Starter, owner: Owner): object {
  const { id, publicKey } = owner
  return {
    principals: [
      { id, roles: ['policy-admin'], ...(publicKey !== null && { keys: [publicKey] }) },
      agentEntry(agent, id),
    ],
    capabilities: words === null ? [] : [toolEntry(words)],
  }
}

export function agentEntry({ id, roles, ...more }: StarterAgent, owner: string): object {
  return { id, roles, owner, ...more }
}

export function toolEntry({ tool, does, safetyClass }: ToolWords): object {
  const description = does === '' ? tool : does
  return { id: tool, description, safetyClass, argsSchema: { type: 'object' } }
}

const sharedAdvice = (agent: string): string => `- **Stop it.** \`warrant suspend ${agent}\`.
- **Look back.** \`warrant log\`, \`warrant trace\`, \`warrant replay\`.
`

const routineAdvice = `- **Answer once for later ones, too.** \`warrant approve --routine\`, for
  calls that read or change files of this project, and for one command as it is. \`warrant grants\`
  lists what you agreed to, and \`warrant grants revoke\` takes it back.
`

/** Of an agent whose tools come from elsewhere. */
function agentReadme({ id, via }: StarterAgent, owner: string): string {
  const routine = via.includes('hook') ? routineAdvice : ''
  return `# What ${id} may do

\`catalog.json\` has the agent \`${id}\` and its owner \`${owner}\`, who is asked. Its tools are in
the log; \`warrant catalog show\` lists them, each with its safety class, and what is written here
is laid over them. After each change, apply it with \`warrant apply\` and the path of this folder;
\`warrant plan\` shows what that would change.

- **Answer.** \`warrant reviews\` lists what waits: \`warrant approve\`, \`warrant decline\`.
${routine}${sharedAdvice(id)}`
}

function starterReadme(words: ToolWords, owner: string): string {
  const ask = `warrant ${askingFor(words)}`
  const agent = starterAgent.id
  const { tool, action, object, safetyClass, why } = words
  const concepts = JSON.stringify([action, object]).replace(',', ', ')
  const rule = '{ "name": "ask", "when": "true", "effect": "confirm", "question": "May it?" }'
  const role = missingRole(words)
  const first =
    role === null
      ? 'This is allowed:'
      : `A tool of class \`${safetyClass}\` needs the role \`${role}\`, which \`${agent}\`
lacks, so this is denied, and the denial says how to give it:`
  return `# What ${agent} may do

\`catalog.json\` says four things: the agent \`${agent}\`, its owner \`${owner}\`, the tool
\`${tool}\`, and its safety class, \`${safetyClass}\` (${why}). Change the class if that is wrong:
\`READ\`, \`WRITE\` or \`DESTRUCTIVE\`. ${first}

    ${ask}

After each change, apply it with \`warrant apply\` and the path of this folder; \`warrant plan\`
shows what that would change. Cases that you write into \`tests/\` run with \`warrant test\`.

## Make it depend on what is known

Write \`"concepts": ${concepts}\` into the tool, apply, and ask again. It is denied, since no one
has said what \`${action}\` and \`${object}\` are, and the denial says what to write into
\`graph.json\`, in your own words. Apply that, and it is allowed again. Policies can stand on what
\`graph.json\` connects.

## Other rules

- **Ask people.** Write \`"conditions": [${rule}]\`
  into the tool, apply, ask again, and answer with \`warrant approve\`. \`when\` can look at the
  arguments.
- **Be strict about arguments.** \`argsSchema\` is JSON Schema; now any go. A tool without
  \`argsSchema\` takes no arguments at all.
- **Leave out the justification.** A tool of class \`WRITE\` or \`DESTRUCTIVE\` needs one of 15
  characters: without it you are asked for a reason. \`defaults\` in \`catalog.json\` sets this and
  every other built-in rule.
- **Check by code.** Name a \`callback\` in a policy, and export a function of that name from
  \`callbacks.ts\` beside \`graph.json\`.
${sharedAdvice(agent)}`
}

const toolCharactersMax = 64

export function refuseNoName(tool: string): void {
  if (tool.trim() !== '' && tool.length <= toolCharactersMax && !/\p{Cc}/u.test(tool)) return
  throw usage(`--tool takes a name of at most ${toolCharactersMax} characters`)
}

/** The command that asks for the tool, without the program. */
export function askingFor({ tool }: Pick<ToolWords, 'tool'>): string {
  const { argument, justification } = exampleCall({ tool })
  const why = `--justification ${shellWord(justification)}`
  return `ask ${shellWord(tool)} --arg ${argument.join('=')} ${why}`
}

/** Writes a seed folder for one tool; without a key its owner signs by what the log binds. */
export async function writeStarter(seed: string, starter: Starter, owner: Owner): Promise<void> {
  await mkdir(seed, { recursive: true })
  const write = (name: string, text: string) => writeFile(join(seed, name), text)
  const graph = { $schema: schemaPlace(seed, 'graph'), primitives: [] }
  await write(seedFileNames.graph, `${jsonLines(graph)}\n`)
  const catalog = { $schema: schemaPlace(seed, 'catalog'), ...starterCatalog(starter, owner) }
  await write(seedFileNames.catalog, `${jsonLines(catalog)}\n`)
  const { agent, words } = starter
  await write(
    'README.md',
    words === null ? agentReadme(agent, owner.id) : starterReadme(words, owner.id),
  )
}

/** A call of the tool, to try it. */
export function exampleCall({ tool }: Pick<ToolWords, 'tool'>) {
  return tool === toolDefault
    ? { argument: ['to', 'ann@example.org'], justification: 'Ann asked for her invoice' }
    : { argument: ['id', '17'], justification: 'a customer asked for it' }
}
