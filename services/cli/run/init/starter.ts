// The seed that `init` writes: an agent, its owner, one tool and its safety class. Nothing has to
// be known for it; the folder's own page says how a tool comes to depend on what is known.
import type { SafetyClass } from '#schemas/rules/terms'
import { byName } from '#cli/rules/catalog/tools/safety-class'

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

export const starterAgent = 'my-agent'
const roles = ['writer']

/** What the agent would need for the tool as well; null where it has all. */
export function missingRole({ safetyClass }: ToolWords): string | null {
  return safetyClass === 'DESTRUCTIVE' ? 'admin' : null
}

export function starterCatalog(
  { tool, does, safetyClass }: ToolWords,
  owner: { readonly id: string; readonly publicKey: string },
): object {
  const { id, publicKey } = owner
  return {
    principals: [
      { id, roles: ['policy-admin'], keys: [publicKey] },
      { id: starterAgent, roles, owner: id, via: ['http'] },
    ],
    capabilities: [
      {
        id: tool,
        description: does === '' ? tool : does,
        safetyClass,
        argsSchema: { type: 'object' },
      },
    ],
  }
}

export function starterReadme(words: ToolWords, owner: string, ask: string): string {
  const { tool, action, object, safetyClass, why } = words
  const concepts = JSON.stringify([action, object]).replace(',', ', ')
  const rule = '{ "name": "ask", "when": "true", "effect": "confirm", "question": "May it?" }'
  const role = missingRole(words)
  const first =
    role === null
      ? 'This is allowed:'
      : `A tool of class \`${safetyClass}\` needs the role \`${role}\`, which \`${starterAgent}\`
lacks, so this is denied, and the denial says how to give it:`
  return `# What ${starterAgent} may do

\`catalog.json\` says four things: the agent \`${starterAgent}\`, its owner \`${owner}\`, the tool
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
- **Stop it.** \`warrant suspend ${starterAgent}\`.
- **Look back.** \`warrant log\`, \`warrant trace\`, \`warrant replay\`.
`
}
