// What an agent is offered for a goal by a server over HTTP, which ranks and records it.
import { Fault } from '#record/fault'
import type { Agent } from '../warrant.ts'
import { Offered } from './reading.ts'
import { readAs, type HttpServer } from './server.ts'

export function offeredAt(server: HttpServer): Agent['shortlist'] {
  return async (goal, { session, model, record = true, ...options } = {}) => {
    if (model !== undefined || !record) {
      const what = 'the server ranks and records what it offers'
      throw new Fault('not_over_http', `${what}: leave \`model\` and \`record\` out`)
    }
    const body = { goal, ...options, ...(session !== undefined && { session: session.id }) }
    // Another try records another offer, which permits nothing.
    const sent = { method: 'POST' as const, path: '/v1/shortlist', body, isSafe: true }
    return readAs(Offered, await server.send(sent))
  }
}
