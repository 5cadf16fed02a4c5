// Formats of others at the HTTP server, request by request: AuthZEN, OPA, and Envoy's external
// authorization.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import {
  decisionPoint,
  type Catalog,
  type DecisionPoint,
  type Sent,
} from '../../http/evaluations/decision-point.ts'
import { todoCatalog } from '../../http/evaluations/todo-catalog.ts'
import { withoutChance } from '../chance.ts'
import { block, plain, type Subject } from '../subject.ts'

const Requests = z.array(z.looseObject({ request: z.unknown() }))
const Payloads = z.looseObject({ evaluation: Requests, evaluations: Requests })

const argsSchema = { type: 'object' }
const reading = { safetyClass: 'READ' as const, argsSchema }
const catalog: Catalog = {
  principals: [
    {
      id: 'gate',
      owner: 'olga',
      roles: ['writer'],
      via: ['http'],
      evaluates: { subjects: [{ type: 'user', who: { role: 'staff' } }] },
    },
    { id: 'ann', roles: ['staff'] },
    { id: 'boss' },
  ],
  capabilities: [
    { id: 'read_file', ...reading },
    { id: 'write_file', safetyClass: 'WRITE', argsSchema },
    {
      id: 'send',
      ...reading,
      conditions: [{ name: 'large', effect: 'confirm', when: 'has(args.n) && args.n > 10' }],
    },
    {
      id: 'mail.send',
      ...reading,
      conditions: [
        {
          name: 'many',
          effect: 'confirm',
          when: 'has(args.context.n) && args.context.n > 10',
        },
      ],
    },
    { id: 'mail.read_file', ...reading },
    { id: 'todo.list', ...reading, requests: [{ method: 'GET', path: '/todos' }] },
    {
      id: 'todo.read',
      ...reading,
      conditions: [
        {
          name: 'own',
          effect: 'require',
          when: "args.params.id.startsWith(principal.id + '-')",
        },
      ],
      requests: [{ method: 'GET', path: '/todos/{id}' }],
    },
  ],
  defaults: { justificationFor: [] },
}

const shown = /^(content-type|location|retry-after|www-authenticate|x-request-id|x-warrant-.*)$/

async function asked(
  point: DecisionPoint,
  path: string,
  body: unknown,
  more: Sent = {},
): Promise<string> {
  const response = await point.send(path, body, more)
  const headers = [...response.headers].filter(([name]) => shown.test(name))
  const { method = 'POST', token, headers: given = {} } = more
  const sent = [
    `${method} ${path}`,
    ...(token === null ? ['without a token'] : []),
    ...Object.entries(given).map(([name, value]) => `${name}: ${value}`),
  ]
  const written =
    method === 'GET' ? '' : `${typeof body === 'string' ? body : JSON.stringify(body)}\n`
  const answered = headers.map(([name, value]) => `${name}: ${value}\n`).join('')
  const text = `${written}--- ${response.status}\n${answered}${await response.text()}\n`
  return block(sent.join(', '), plain(text, { url: point.url }))
}

const user = (id: string) => ({ type: 'user', id })
const evaluation = '/access/v1/evaluation'
const evaluations = '/access/v1/evaluations'

async function authzen(): Promise<string> {
  const url = new URL('../../data/authzen/todo.json', import.meta.url)
  const payloads = Payloads.parse(JSON.parse(await readFile(url, 'utf8')))
  const todo = await decisionPoint(todoCatalog)
  const own = await decisionPoint(catalog)
  const call = {
    subject: user('ann'),
    action: { name: 'send' },
    resource: { type: 'mail', id: '1' },
  }
  const id = { headers: { 'x-request-id': 'one' } }
  const texts: string[] = []
  for (const { request } of payloads.evaluation.slice(0, 12)) {
    texts.push(await asked(todo, evaluation, request))
  }
  for (const { request } of payloads.evaluations)
    texts.push(await asked(todo, evaluations, request))
  const more: readonly (readonly [path: string, body: unknown, more?: Sent])[] = [
    [evaluation, call, id],
    [evaluation, { ...call, subject: user('boss') }],
    [evaluation, { ...call, action: { name: 'unknown' } }],
    [evaluation, { ...call, context: { n: 11 } }],
    [evaluation, { subject: user('ann') }],
    [evaluation, 'no json'],
    [evaluation, []],
    [evaluation, call, { token: null }],
    [evaluation, call, { token: 'wrong' }],
    [evaluation, call, { headers: { 'content-type': 'text/plain' } }],
    [evaluation, '', { method: 'GET' }],
    [evaluations, { ...call, evaluations: [{}, { action: { name: 'read_file' } }] }],
    [evaluations, { evaluations: [] }],
    [evaluations, { ...call, evaluations: [{}], options: { evaluations_semantic: 'other' } }],
    ['/access/v1/search/action', { subject: user('ann'), resource: { type: 'mail', id: '1' } }],
    ['/access/v1/search/subject', { ...call, subject: { type: 'user' } }],
    ['/access/v1/search/resource', { ...call, resource: { type: 'mail' } }],
    ['/access/v1/search/other', call],
    ['/.well-known/authzen-configuration', '', { method: 'GET', token: null }],
  ]
  for (const [path, body, sent] of more) texts.push(await asked(own, path, body, sent))
  return withoutChance(texts.join(''))
}

async function opa(): Promise<string> {
  const point = await decisionPoint(catalog)
  const input = { tool: { name: 'read_file' }, args: { path: 'a' } }
  const inputs: readonly unknown[] = [
    input,
    { tool: { name: 'write_file' }, args: {} },
    { tool: { name: 'write_file' }, args: {}, subject: user('ann') },
    { tool: { name: 'send' }, args: { n: 11 } },
    { tool: { name: 'unknown' }, args: {} },
    { ...input, subject: user('boss') },
    null,
    7,
    {},
    { tool: 'read_file' },
  ]
  const texts: string[] = []
  for (const path of ['warrant/allow', 'warrant/decision']) {
    for (const each of inputs) texts.push(await asked(point, `/v1/data/${path}`, { input: each }))
    texts.push(await asked(point, `/v1/data/${path}`, {}))
  }
  texts.push(await asked(point, '/v1/data/system/main', { input }))
  texts.push(await asked(point, '/v1/data/warrant/allow', 'no json'))
  texts.push(await asked(point, '/v1/data/warrant/allow', { input }, { token: null }))
  return withoutChance(texts.join(''))
}

async function extAuthz(): Promise<string> {
  const point = await decisionPoint(catalog)
  const at = '/v1/ext-authz'
  const by = (subject: string): Sent => ({
    method: 'GET',
    headers: { 'x-warrant-subject': subject },
  })
  const texts: string[] = []
  for (const path of ['/todos', '/todos?page=2', '/todos/ann-1', '/todos/ben-1', '/other', '']) {
    texts.push(await asked(point, `${at}${path}`, '', by('ann')))
  }
  texts.push(await asked(point, `${at}/todos`, '', by('boss')))
  texts.push(await asked(point, `${at}/todos`, '', by('')))
  texts.push(await asked(point, `${at}/todos`, '', { ...by('ann'), token: null }))
  texts.push(await asked(point, `${at}/todos`, {}, { headers: { 'x-warrant-subject': 'ann' } }))
  return withoutChance(texts.join(''))
}

async function record(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['authzen.txt', await authzen()],
    ['opa.txt', await opa()],
    ['ext-authz.txt', await extAuthz()],
  ])
}

export const doors: Subject = { folder: 'frozen/doors', record }
