// Asks a decision point over HTTP, as a process of its own: so many requests at once, or on a
// schedule that does not wait for answers; and prints how long each took.
import { Agent, request } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'

const [shape = '', url = '', token = '', path = '', each = '1', count = '0', ...pace] =
  process.argv.slice(2)
const [lanes = '0', rate = '0'] = pace

const agent = new Agent({ keepAlive: true, maxSockets: 256 })
const many = Number(each)

interface Shape {
  /** The body of a request about so many files. */
  readonly body: (index: number) => object
  /** What the answer has once for each that is allowed. */
  readonly allowed: string
}

const files = (index: number): string[] =>
  Array.from({ length: many }, (_, at) => `f-${index}-${at}`)

function authzenBody(index: number): object {
  const one = { subject: { type: 'user', id: `user${index % 8}` }, action: { name: 'read' } }
  const resources = files(index).map((id) => ({ resource: { type: 'file', id } }))
  return many === 1 ? { ...one, ...resources[0] } : { ...one, evaluations: resources }
}

function opaBody(index: number): object {
  const subject = { id: `user${index % 8}`, role: 'staff' }
  const resource = { type: 'file', id: `f-${index}` }
  return { input: { subject, action: { name: 'read' }, resource } }
}

function cerbosBody(index: number): object {
  const principal = { id: `user${index % 8}`, roles: ['staff'] }
  const resources = files(index).map((id) => ({
    actions: ['read'],
    resource: { kind: 'file', id },
  }))
  return { principal, resources }
}

const shapes: Readonly<Record<string, Shape>> = {
  authzen: { body: authzenBody, allowed: '"decision":true' },
  opa: { body: opaBody, allowed: '"result":true' },
  cerbos: { body: cerbosBody, allowed: 'EFFECT_ALLOW' },
}
const asking = shapes[shape]

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
        const isWhole = text.split(asking?.allowed ?? '').length === many + 1
        if (answer.statusCode === 200 && isWhole) resolve()
        else reject(new Error(`${answer.statusCode}: ${text.slice(0, 500)}`))
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(asking?.body(index)))
  })
}

const times: number[] = []
const begin = performance.now()
if (Number(rate) === 0) {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < Number(count)) {
      const index = next
      next += 1
      const start = performance.now()
      await asked(index)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: Number(lanes) }, lane))
} else {
  const all: Promise<void>[] = []
  for (let index = 0; index < Number(count); index += 1) {
    const scheduled = begin + (index * 1_000) / Number(rate)
    // A timer would come up to a millisecond late, and its lateness would be counted.
    while (performance.now() < scheduled) await turn()
    all.push(asked(index).then(() => void times.push(performance.now() - scheduled)))
  }
  await Promise.all(all)
}
const seconds = (performance.now() - begin) / 1_000
process.stdout.write(JSON.stringify({ seconds, times }))
agent.destroy()
