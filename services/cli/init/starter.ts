// The seed that `init` writes: one agent, one tool, and a graph that knows what the tool acts on
// but not yet what it does. So the first question is answered with a no that says what is missing.

/** What the tool's name says: `send_email` is to `send` an `email`. */
export interface ToolWords {
  readonly tool: string
  readonly action: string
  readonly object: string
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
  return { tool, action, object: isOwn ? object : `${action}_target` }
}

const agentId = 'my-agent'

export function starterGraph({ object }: ToolWords): object {
  const description = `One ${object.replaceAll('_', ' ')}: say here what it is.`
  return {
    primitives: [
      { name: object, depths: [{ level: 0 }, { level: 1, properties: { description } }] },
    ],
  }
}

export function starterCatalog(
  { tool, action, object }: ToolWords,
  owner: { readonly id: string; readonly publicKey: string },
): object {
  const { id, publicKey } = owner
  return {
    principals: [
      { id, roles: ['policy-admin'], keys: [publicKey] },
      { id: agentId, roles: ['writer'], owner: id },
    ],
    capabilities: [
      {
        id: tool,
        description: `${action} ${object.replaceAll('_', ' ')}`,
        safetyClass: 'WRITE',
        concepts: [action, object],
        argsSchema: { type: 'object' },
      },
    ],
  }
}

export function starterReadme({ tool, action, object }: ToolWords, ask: string): string {
  const policy = `"policies": [{ "name": "ask", "confirmationMessage": "May I {action} it?" }]`
  return `# What ${agentId} may do

\`graph.json\` is what is known, \`catalog.json\` is who there is and what can be done. After each
change, apply it with \`warrant apply\` and the path of this folder; \`warrant plan\` shows what
that would change, and \`warrant test\` runs the cases in \`tests/\`.

\`${tool}\` needs \`${action}\` and \`${object}\` known. No one has said yet what \`${action}\` is,
so this is denied, and the denial says what to write into \`graph.json\`:

    ${ask}

Then:

- **Ask people.** Put a policy on the edge from \`${action}\` to \`${object}\`, seed, ask again, and
  answer with \`warrant approve\`: \`${policy}\`
- **Check by code.** Name a \`callback\` in the policy, and export a function of that name from
  \`callbacks.ts\` beside \`graph.json\`.
- **Be strict about arguments.** \`argsSchema\` in \`catalog.json\` is JSON Schema; now any go.
- **Leave out the justification.** A tool of class \`WRITE\` needs one of 15 characters: without it
  you are asked for a reason.
- **Stop it.** \`warrant suspend ${agentId}\`.
- **Look back.** \`warrant log\`, \`warrant trace\`, \`warrant replay\`.
`
}
