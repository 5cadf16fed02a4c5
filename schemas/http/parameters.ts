// What routes read beside paths and bodies: parameters of the query, and headers.

export const requestParameters = {
  wait: {
    in: 'query',
    title: 'How many seconds to wait for the verdict, 0 to 60, people and all',
    schema: { type: 'integer', minimum: 0, maximum: 60 },
  },
  Prefer: {
    in: 'header',
    title: '`wait=<seconds>`, where `wait` is not in the query',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    in: 'header',
    title: 'The same for each repetition of one request: they are one intent, or one message',
    schema: { type: 'string', minLength: 1, maxLength: 256 },
  },
  'If-None-Match': {
    in: 'header',
    title: 'The ETag that is known: with `wait` the answer comes when it has changed',
    schema: { type: 'string' },
  },
  'X-Request-ID': {
    in: 'header',
    title: 'What the caller calls the request: the answer repeats it',
    schema: { type: 'string' },
  },
  observe: {
    in: 'query',
    schema: { enum: ['true'] },
    title: 'Of a hook: record what would be decided, and answer nothing',
  },
  return_to: {
    in: 'query',
    title: 'The path of this server to which the browser comes back',
    schema: { type: 'string', pattern: '^/', maxLength: 1024 },
  },
  'x-csrf-token': {
    in: 'header',
    title: '`csrf` of the session, where its cookie is what shows who calls',
    schema: { type: 'string' },
  },
  'Last-Event-ID': {
    in: 'header',
    title: 'The position in the log after which to begin',
    schema: { type: 'string', pattern: '^[0-9]{1,16}$' },
  },
  as: {
    in: 'query',
    title: '`command` for what a process is to print, in place of what the agent reads',
    schema: { type: 'string', enum: ['command'] },
  },
} as const

export type ParameterName = keyof typeof requestParameters
