// Who may bind which name, and what stands under it, as one AsyncAPI 3.0 document. It says what is
// promised to agents, tools and people in any language; no server is part of it.
import type { DataKind } from '../facts.ts'
import { factKinds, factTitles } from './json-schemas.ts'

type ChannelKind = 'vlp' | DataKind

interface Channel {
  /** The tokens behind the kind, in order; each has an entry among the parameters. */
  readonly tokens: readonly (keyof typeof parameters)[]
  readonly boundBy: readonly string[]
  /** Seen from the stages: what others bind they receive, what they bind they send. */
  readonly action: 'receive' | 'send'
}

const intent = ['agent', 'session', 'id'] as const

const channels: Readonly<Record<ChannelKind, Channel>> = {
  vlp: { tokens: ['sender', 'session', 'id'], boundBy: ['that sender'], action: 'receive' },
  withdrawal: { tokens: intent, boundBy: ['that agent'], action: 'receive' },
  grounding: { tokens: [...intent, 'attempt'], boundBy: ['grounding'], action: 'send' },
  rate: {
    tokens: ['agent', 'capability', 'use'],
    boundBy: ['policy', 'confirmation'],
    action: 'send',
  },
  hold: { tokens: [...intent, 'attempt'], boundBy: ['policy'], action: 'send' },
  resume: { tokens: [...intent, 'attempt'], boundBy: ['learning'], action: 'send' },
  asked: {
    tokens: ['agent', 'capability', 'use'],
    boundBy: ['policy', 'confirmation'],
    action: 'send',
  },
  review: {
    tokens: [...intent, 'review'],
    boundBy: ['policy', 'confirmation'],
    action: 'send',
  },
  decision: {
    tokens: [...intent, 'review', 'confirmer'],
    boundBy: ['that confirmer'],
    action: 'receive',
  },
  verdict: { tokens: intent, boundBy: ['policy', 'confirmation'], action: 'send' },
  fault: { tokens: ['queue', 'position'], boundBy: ['that queue’s worker'], action: 'send' },
  start: { tokens: intent, boundBy: ['the gateway'], action: 'receive' },
  outcome: { tokens: intent, boundBy: ['the gateway'], action: 'receive' },
  ownstart: { tokens: intent, boundBy: ['that agent’s guard'], action: 'receive' },
  ownoutcome: { tokens: intent, boundBy: ['that agent’s guard'], action: 'receive' },
  lift: { tokens: ['agent', 'lift'], boundBy: ['confirmers', 'policy-admins'], action: 'receive' },
  proposal: { tokens: ['proposal'], boundBy: ['learning'], action: 'send' },
  meeting: { tokens: ['proposal', 'agent'], boundBy: ['learning'], action: 'send' },
  suggestion: { tokens: ['proposal', 'number'], boundBy: ['learning'], action: 'send' },
  expiry: { tokens: ['proposal'], boundBy: ['learning'], action: 'send' },
  reopening: {
    tokens: ['proposal', 'confirmer'],
    boundBy: ['that confirmer'],
    action: 'receive',
  },
  ruling: { tokens: ['proposal', 'confirmer'], boundBy: ['that confirmer'], action: 'receive' },
  graph: { tokens: ['revision'], boundBy: ['learning', 'policy-admins'], action: 'receive' },
  catalog: { tokens: ['revision'], boundBy: ['policy-admins'], action: 'receive' },
  snapshot: { tokens: ['number'], boundBy: ['policy-admins'], action: 'receive' },
}

const parameters = {
  realm: 'One deployment’s names',
  era: 'The number of the log’s era, counting from 1',
  sender: 'Who speaks: an identifier as a token',
  agent: 'The agent of the intent: an identifier as a token',
  session: 'The session as a token; `-` without one',
  id: 'A ULID, unique within sender and session',
  attempt: 'The n-th grounding of the intent, counting from 1',
  capability: 'The capability as a token',
  review: 'The n-th review of the intent, counting from 1',
  lift: 'The n-th lift for the agent, counting from 1',
  use: 'The n-th use of the capability by the agent, counting from 1',
  confirmer: 'Who answers: an identifier as a token',
  queue: 'The queue whose worker gave the job up',
  position: 'The position of the fact that was the job',
  revision: 'The number of the change set, counting from 1',
  proposal:
    'What is asked, as 26 characters of its digest: who asks the same asks under the same name',
  number: 'The n-th of its kind there, counting from 1',
} as const

const description = [
  'A name is bound at most once; whoever comes second is told what stands there already.',
  'A token is `[A-Za-z0-9-][A-Za-z0-9_-]{0,63}`. An identifier that is none becomes `_` and the',
  'base64url of the first 16 bytes of its SHA-256, and the fact carries it in full.',
  'An agent publishes a `query` with `payload.intent` and waits for the verdict of that address.',
].join(' ')

const kinds: readonly ChannelKind[] = ['vlp', ...factKinds]

/** The document; `version` is that of the words. */
export function asyncApi(version: string): object {
  return {
    asyncapi: '3.0.0',
    info: { title: 'Warrant', version, description, license: { name: 'Apache-2.0' } },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(kinds.map((kind) => [kind, channelOf(kind)])),
    operations: Object.fromEntries(
      kinds.map((kind) => [`${channels[kind].action}-${kind}`, operationOf(kind)]),
    ),
    components: {
      messages: Object.fromEntries(kinds.map((kind) => [kind, messageOf(kind)])),
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, text]) => [name, { description: text }]),
      ),
    },
  }
}

function channelOf(kind: ChannelKind): object {
  const { tokens, boundBy } = channels[kind]
  const names = ['realm', 'era', ...tokens]
  return {
    address: `{realm}.{era}.${kind}.${tokens.map((token) => `{${token}}`).join('.')}`,
    title: titleOf(kind),
    description: `Bound by ${boundBy.join(' or ')}, at most once.`,
    messages: { [kind]: { $ref: `#/components/messages/${kind}` } },
    parameters: Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/parameters/${name}` }]),
    ),
    'x-bound-by': boundBy,
  }
}

function operationOf(kind: ChannelKind): object {
  return {
    action: channels[kind].action,
    channel: { $ref: `#/channels/${kind}` },
    summary: titleOf(kind),
    messages: [{ $ref: `#/channels/${kind}/messages/${kind}` }],
  }
}

function messageOf(kind: ChannelKind): object {
  const title = titleOf(kind)
  if (kind === 'vlp') {
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

function titleOf(kind: ChannelKind): string {
  return kind === 'vlp' ? 'One VLP/1.1 message, its bytes as published' : factTitles[kind]
}
