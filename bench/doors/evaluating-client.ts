// Asks a decision point over HTTP, as a process of its own: so many requests at once, or on a
// schedule that does not wait for answers. It prints how long each took, and at last all of it.
import { Agent, request } from 'node:http'
import { inLanes, timed } from '../harness.ts'
import { onSchedule } from '../open-loop.ts'

const [shape = '', url = '', token = '', path = '', each = '1', count = '0', ...pace] =
  process.argv.slice(2)
const [lanes = '0', rate = '0'] = pace

const agent = new Agent({ keepAlive: true, maxSockets: 256 })
const many = Number(each)
const warmUp = 2_000

const files = (index: number): string[] =>
  Array.from({ length: many }, (_, at) => `f-${index}-${at}`)

/** The body of a request about so many files. */
const bodies: Readonly<Record<string, (index: number, user: string) => object>> = {
  authzen: (index, user) => {
    const one = { subject: { type: 'user', id: user }, action: { name: 'read' } }
    const evaluations = files(index).map((id) => ({ resource: { type: 'file', id } }))
    return many === 1 ? { ...one, ...evaluations[0] } : { ...one, evaluations }
  },
  opa: (index, id) => {
    const resource = { type: 'file', id: `f-${index}` }
    return { input: { subject: { id, role: 'staff' }, action: { name: 'read' }, resource } }
  },
  cerbos: (index, id) => {
    const actions = ['read']
    const resources = files(index).map((of) => ({ actions, resource: { kind: 'file', id: of } }))
    return { principal: { id, roles: ['staff'] }, resources }
  },
}
/** What an answer has once for each that is allowed. */
const allowed = /"decision":true|"result":true|EFFECT_ALLOW/g

function asked(index: number): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== '' && { authorization: `Bearer ${token}` }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method: 'POST', agent, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => {
        const isWhole = text.match(allowed)?.length === many
        if (answer.statusCode === 200 && isWhole) resolve()
        else reject(new Error(`${answer.statusCode}: ${text.slice(0, 500)}`))
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(bodies[shape]?.(index, `user${Math.abs(index) % 8}`)))
  })
}

const indexes = Array.from({ length: Number(count) }, (_, index) => index)
// On a schedule the beginning of this process, and of its connections, would be most of the tail.
const early = Number(rate) === 0 ? [] : indexes.map((index) => -1 - index).slice(0, warmUp)
await inLanes(early, Number(lanes), asked)
let times: readonly number[] = []
const took = await timed(async () => {
  if (Number(rate) === 0) times = await inLanes(indexes, Number(lanes), asked)
  else times = await askedOnSchedule()
})
process.stdout.write(JSON.stringify([...times, took]))
agent.destroy()

async function askedOnSchedule(): Promise<readonly number[]> {
  const all: Promise<number>[] = []
  await onSchedule(indexes, Number(rate), (index, scheduled) => {
    all.push(asked(index).then(() => performance.now() - scheduled))
  })
  return Promise.all(all)
}
