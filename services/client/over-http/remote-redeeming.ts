// How a guard redeems a warrant at a server over HTTP: the server derives the verdict again, looks
// at what was suspended and revoked, and binds the start, once. Nothing runs without its answer.
import { Fault } from '#record/fault'
import { systemClock } from '#system/clock'
import type { Redeeming } from '../guard/redeeming.ts'
import { StartTerms } from './reading.ts'
import { readAs, type HttpServer } from './server.ts'

export function redeemingAt(server: HttpServer): Redeeming {
  const post = (intent: string, what: 'start' | 'outcome', more: object = {}) => ({
    method: 'POST' as const,
    path: `/v1/intents/${encodeURIComponent(intent)}/${what}`,
    ...more,
  })
  return {
    prove: () => Promise.resolve(),
    refusal: () => null,
    async start({ intent, terms }) {
      try {
        // Not sent again: that an answer was lost does not show whether the warrant is used.
        const answered = await server.send({ ...post(intent, 'start'), isSafe: false })
        const { argsDigest } = readAs(StartTerms, answered).terms
        if (argsDigest !== terms?.argsDigest) {
          throw new Fault('warrant_differs', `what was started for \`${intent}\` is another call`)
        }
      } catch (error) {
        if (error instanceof Fault && error.code === 'warrant_used') return notNow
        if (error instanceof Fault && error.code === 'server_unreachable') throw lost(error)
        throw error
      }
      return { appended: true, appendedAt: systemClock.now() }
    },
    async end({ intent }, outcome) {
      try {
        await server.send({ ...post(intent, 'outcome', { body: outcome }), isSafe: true })
        return true
      } catch (error) {
        if (error instanceof Fault && error.code === 'outcome_recorded') return false
        throw error
      }
    },
  }
}

const notNow = { appended: false, appendedAt: 0 }

function lost(cause: Fault): Fault {
  const what = `${cause.message}; the tool does not run, and its warrant may be used`
  return new Fault('server_unreachable', what, { cause, retry: 'never' })
}
