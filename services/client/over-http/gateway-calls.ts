// Calls of tools that a gateway carries out over HTTP: the agent asks, gets the warrant of what was
// allowed for a proof of its key, and presents it there, once.
import { randomUUID } from 'node:crypto'
import { systemClock } from '#system/clock'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { agentIn, token as tokenOf } from '#record/names'
import { dpopFor } from '#messages/warrants/minted'
import type { CallAnswer } from '#gateway/answering'
import { IntentFault } from '../intent-fault.ts'
import type { CallingGateway } from '../tool-calls.ts'
import { eventsOf } from './event-stream.ts'
import { CallShown, ExpansionShown, MintedWarrant, Part, WouldCall } from './reading.ts'
import { faultIn, httpServer, readAs, type ServerAnswer, type HttpServer } from './server.ts'
import type { HttpServerOptions } from './server.ts'

/** A tool may take its time, which its gateway ends; `fetch` of Node waits no longer than this. */
const callMsMax = 290_000

/** A gateway that is reached over HTTP: `warrant up gateway`. */
export interface RemoteGateway extends Pick<HttpServerOptions, 'timeoutMs' | 'plain' | 'fetch'> {
  /** As the gateway says where it listens: proofs name it. */
  readonly url: string
}

/** Throws a Fault `key_missing` without the key of the agent. */
export function gatewayAt(options: RemoteGateway, privateKey: string | undefined): CallingGateway {
  if (privateKey === undefined) {
    const fix = 'give the agent a key in the catalog, and `privateKey` here'
    throw new Fault('key_missing', `who calls at a gateway proves to hold a key: ${fix}`)
  }
  const server = httpServer(options)
  const at: At = { server, privateKey }
  return {
    async call({ intent, presenter, mode, signal, onPart }) {
      refuseOther(intent, presenter)
      const warrant = await warrantFor(at, intent, signal)
      const body = { intent, ...(mode !== undefined && { mode }) }
      const sent = { method: 'POST' as const, path: callsPath, body, signal }
      const headers = proofs(at, callsPath, warrant)
      try {
        if (onPart !== undefined) {
          return await streamed(server, { ...sent, headers }, onPart)
        }
        // Whether it was begun cannot be seen from here, and it is carried out once.
        const once = { ...sent, headers, isSafe: false, waitMs: callMsMax }
        return readAs(CallShown, await server.send(once))
      } catch (error) {
        throw lostCall(intent, error)
      }
    },
    async dryRun({ intent, presenter }) {
      refuseOther(intent, presenter)
      const warrant = await warrantFor(at, intent)
      const body = { intent, dryRun: true }
      const headers = proofs(at, callsPath, warrant)
      const sent = { method: 'POST' as const, path: callsPath, body, headers, isSafe: true }
      return readAs(WouldCall, await server.send(sent))
    },
    async expand({ handle, query }) {
      const path = `/v1/handles/${encodeURIComponent(handle)}`
      const body = typeof query === 'object' && query !== null ? query : {}
      const headers = proofs(at, path, null)
      const sent = { method: 'POST' as const, path, body, headers, isSafe: true }
      return readAs(ExpansionShown, await server.send(sent)).frame
    },
    async close() {
      server.close()
    },
  }
}

const callsPath = '/v1/calls'

interface At {
  readonly server: HttpServer
  readonly privateKey: string
}

/** The same token each time, so it is safe to ask for it again. */
async function warrantFor(at: At, intent: string, signal?: AbortSignal): Promise<string> {
  const path = `/v1/warrants/${encodeURIComponent(intent)}`
  const headers = proofs(at, path, null)
  const sent = { method: 'POST' as const, path, headers, isSafe: true, signal }
  return readAs(MintedWarrant, await at.server.send(sent)).token
}

/** One proof for each try, over the token where one is presented. */
function proofs({ server, privateKey }: At, path: string, token: string | null) {
  return (): Readonly<Record<string, string>> => {
    const target = { method: 'POST', url: `${server.url}${path}` }
    const of = { token, target, now: systemClock.now(), id: randomUUID() }
    const dpop = dpopFor(of, privateKey)
    return { dpop, ...(token !== null && { authorization: `DPoP ${token}` }) }
  }
}

async function streamed(
  server: HttpServer,
  sent: Parameters<HttpServer['open']>[0],
  onPart: NonNullable<Parameters<CallingGateway['call']>[0]['onPart']>,
): Promise<CallAnswer> {
  const headers = () => ({ ...sent.headers?.(), accept: 'text/event-stream' })
  const response = await server.open({ ...sent, headers })
  for await (const { event, data } of eventsOf(response, { silentMsMax: callMsMax })) {
    const body = parseJson(data)
    if (event === 'problem') throw faultIn(body)
    const answered: ServerAnswer = { status: 200, headers: response.headers, body }
    if (event === 'answer') return readAs(CallShown, answered)
    if (event === 'part') onPart(readAs(Part, answered))
  }
  throw new Fault('server_unreachable', 'the stream ended without an answer')
}

function refuseOther(intent: string, presenter: string): void {
  if (agentIn(intent) === tokenOf(presenter)) return
  throw new Fault('not_yours', 'it is an intent of another agent')
}

/** It may have been done: the gateway records what came of it, and no one else knows. */
function lostCall(intent: string, error: unknown): unknown {
  if (!(error instanceof Fault)) return error
  if (error.code !== 'server_unreachable') return new IntentFault(intent, error)
  const what = `${error.message}; whether \`${intent}\` was carried out stands in its trace`
  return new IntentFault(intent, new Fault('outcome_unknown', what, { cause: error }))
}
