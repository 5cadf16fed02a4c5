// Who may bind which name, what stands under it, and what is sent beside the log, as one AsyncAPI
// 3.0 document. It says what is promised to agents, tools and people in any language; no server is
// part of it.
import { allBeside, besideLog, type Beside } from '#schemas/beside-log'
import { binderOf, tokenTitles } from '#schemas/kind-entry'
import { allKinds, isEvent, kinds, type Kind } from '#schemas/kinds'

const parameters = {
  realm: 'One deployment’s names',
  era: 'The number of the log’s era, counting from 1',
  ...tokenTitles,
  person: 'Who is asked: an identifier as a token',
}

const deputy = { type: 'string', description: 'Who is away, percent-encoded' }

/** What is sent beside the log, as a message of it. */
const besideMessages: Readonly<Record<Beside, object>> = {
  notice: { contentType: 'text/plain', payload: { type: 'string' } },
  toreview: {
    headers: { type: 'object', properties: { 'Warrant-For': deputy } },
    contentType: 'application/cloudevents+json',
    payload: { $ref: './facts/review.json' },
  },
  missed: { contentType: 'text/plain', payload: { type: 'string', maxLength: 0 } },
}

const about = [
  'A name is bound at most once; anyone who comes second learns what stands there already.',
  'A token is `[A-Za-z0-9-][A-Za-z0-9_-]{0,63}`. An identifier that is not one becomes `_` and the',
  'base64url of the first 16 bytes of its SHA-256, and the fact carries it in full.',
  'An agent publishes a `query` with `payload.intent` and waits for the verdict of that address.',
].join(' ')

/** The document; `version` is that of the words. */
export function asyncApi(version: string): object {
  return {
    asyncapi: '3.0.0',
    info: { title: 'Warrant', version, description: about, license: { name: 'Apache-2.0' } },
    defaultContentType: 'application/json',
    channels: { ...byName(allKinds, channelOf), ...byName(allBeside, channelBeside) },
    operations: Object.fromEntries([
      ...allKinds.filter(isBound).map((kind) => operation(actionOf(kind), kind, kinds[kind].title)),
      ...allBeside.map((kind) => {
        const { from, title } = besideLog[kind]
        return operation(from === 'workers' ? 'send' : 'receive', kind, title)
      }),
    ]),
    components: {
      messages: {
        ...byName(allKinds, messageOf),
        ...byName(allBeside, (kind) => ({ name: kind, ...besideMessages[kind] })),
      },
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, text]) => [name, { description: text }]),
      ),
    },
  }
}

function byName<K extends string>(names: readonly K[], make: (name: K) => object): object {
  return Object.fromEntries(names.map((name) => [name, make(name)]))
}

function channelOf(kind: Kind): object {
  const { title, tokens } = kinds[kind]
  const boundBy = kinds[kind].boundBy.map((name) => binderOf(name).title)
  const description = isBound(kind)
    ? `Bound by ${boundBy.join(' or ')}, at most once.`
    : 'Bound by no one any more: older logs have it.'
  const of = { kind, title, description, before: ['realm', 'era'], tokens }
  return { ...channelAt(of), 'x-bound-by': boundBy }
}

function channelBeside(kind: Beside): object {
  const { from, to, tokens, title } = besideLog[kind]
  const description = `Sent by ${from} to ${to}, and kept by no log: nothing depends on it.`
  return channelAt({ kind, title, description, before: ['realm'], tokens })
}

interface Channel {
  readonly kind: string
  readonly title: string
  readonly description: string
  readonly before: readonly string[]
  readonly tokens: readonly string[]
}

function channelAt({ kind, title, description, before, tokens }: Channel): object {
  const braced = (names: readonly string[]): string[] => names.map((name) => `{${name}}`)
  return {
    address: [...braced(before), kind, ...braced(tokens)].join('.'),
    title,
    description,
    messages: { [kind]: { $ref: `#/components/messages/${kind}` } },
    parameters: Object.fromEntries(
      [...before, ...tokens].map((name) => [name, { $ref: `#/components/parameters/${name}` }]),
    ),
  }
}

function isBound(kind: Kind): boolean {
  return kinds[kind].boundBy.length > 0
}

// Seen from the stages: what others bind they receive, what they alone bind they send.
function actionOf(kind: Kind): 'receive' | 'send' {
  return kinds[kind].boundBy.every((name) => binderOf(name).isStage) ? 'send' : 'receive'
}

function operation(action: 'receive' | 'send', kind: string, summary: string): [string, object] {
  const channel = { $ref: `#/channels/${kind}` }
  const messages = [{ $ref: `#/channels/${kind}/messages/${kind}` }]
  return [`${action}-${kind}`, { action, channel, summary, messages }]
}

function messageOf(kind: Kind): object {
  const { title } = kinds[kind]
  if (!isEvent(kind)) {
    const payload = { $ref: './vlp-message.json' }
    return { name: kind, title, contentType: 'application/json', payload }
  }
  const payload = { $ref: `./facts/${kind}.json` }
  return {
    name: `warrant.${kind}.v1`,
    title,
    contentType: 'application/cloudevents+json',
    payload,
  }
}
