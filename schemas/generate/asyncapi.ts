// Who may bind which name, and what stands under it, as one AsyncAPI 3.0 document. It says what is
// promised to agents, tools and people in any language; no server is part of it.
import { binderOf, tokenTitles } from '../kind-entry.ts'
import { allKinds, isEvent, kinds, type Kind } from '../kinds.ts'

const parameters = {
  realm: 'One deployment’s names',
  era: 'The number of the log’s era, counting from 1',
  ...tokenTitles,
}

const description = [
  'A name is bound at most once; anyone who comes second learns what stands there already.',
  'A token is `[A-Za-z0-9-][A-Za-z0-9_-]{0,63}`. An identifier that is not one becomes `_` and the',
  'base64url of the first 16 bytes of its SHA-256, and the fact carries it in full.',
  'An agent publishes a `query` with `payload.intent` and waits for the verdict of that address.',
].join(' ')

/** The document; `version` is that of the words. */
export function asyncApi(version: string): object {
  return {
    asyncapi: '3.0.0',
    info: { title: 'Warrant', version, description, license: { name: 'Apache-2.0' } },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(allKinds.map((kind) => [kind, channelOf(kind)])),
    operations: Object.fromEntries(
      allKinds.filter(isBound).map((kind) => [`${actionOf(kind)}-${kind}`, operationOf(kind)]),
    ),
    components: {
      messages: Object.fromEntries(allKinds.map((kind) => [kind, messageOf(kind)])),
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, text]) => [name, { description: text }]),
      ),
    },
  }
}

function channelOf(kind: Kind): object {
  const { tokens } = kinds[kind]
  const boundBy = kinds[kind].boundBy.map((name) => binderOf(name).title)
  const names = ['realm', 'era', ...tokens]
  return {
    address: `{realm}.{era}.${kind}.${tokens.map((token) => `{${token}}`).join('.')}`,
    title: kinds[kind].title,
    description: isBound(kind)
      ? `Bound by ${boundBy.join(' or ')}, at most once.`
      : 'Bound by no one any more: older logs have it.',
    messages: { [kind]: { $ref: `#/components/messages/${kind}` } },
    parameters: Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/parameters/${name}` }]),
    ),
    'x-bound-by': boundBy,
  }
}

function isBound(kind: Kind): boolean {
  return kinds[kind].boundBy.length > 0
}

// Seen from the stages: what others bind they receive, what they alone bind they send.
function actionOf(kind: Kind): 'receive' | 'send' {
  return kinds[kind].boundBy.every((name) => binderOf(name).isStage) ? 'send' : 'receive'
}

function operationOf(kind: Kind): object {
  return {
    action: actionOf(kind),
    channel: { $ref: `#/channels/${kind}` },
    summary: kinds[kind].title,
    messages: [{ $ref: `#/channels/${kind}/messages/${kind}` }],
  }
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
