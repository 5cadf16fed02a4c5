// Asks a decision point over HTTP, as a process of its own: so many requests at once, or on a
// schedule that does not wait for answers; and prints how long each took.
import { Agent, request } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'

const [url = '', token = '', path = '', each = '1', count = '0', lanes = '0', rate = '0'] =
  process.argv.slice(2)

const agent = new Agent({ keepAlive: true, maxSockets: 256 })
const many = Number(each)

function bodyOf(index: number): string {
  const one = { subject: { type: 'user', id: `user${index % 8}` }, action: { name: 'read' } }
  const resource = (at: number) => ({ type: 'file', id: `f-${index}-${at}` })
  if (many === 1) return JSON.stringify({ ...one, resource: resource(0) })
  const evaluations = Array.from({ length: many }, (_, at) => ({ resource: resource(at) }))
  return JSON.stringify({ ...one, evaluations })
}

function asked(index: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method: 'POST', agent, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => {
        const isWhole = text.split('"decision":true').length === many + 1
        if (answer.statusCode === 200 && isWhole) resolve()
        else reject(new Error(`${answer.statusCode}: ${text.slice(0, 500)}`))
      })
    })
    sent.on('error', reject)
    sent.end(bodyOf(index))
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
