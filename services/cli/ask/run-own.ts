// Asks where the server lets an agent read its own alone: nothing is looked up in a catalog, so who
// asks and with which key must be said.
import { openReview } from '#core/state/intent'
import { Fault } from '#core/kernel/fault'
import { waitsFor } from '#present/story/waits'
import { keyGiven, opened } from '#runtime/keys/keys'
import type { Intent } from '#schemas/intent'
import { connectOwn, type OwnAnswer, type OwnWarrant } from '#services/client/own/client'
import { usage } from '../terminal/failure.ts'
import { note } from '../terminal/terminal.ts'
import { approving, hintsFor } from '../terminal/hint.ts'
import { exitCodeOf, printAnswer, waitMsDefault, type AskOptions } from './answer.ts'
import { keyAccess, keyNamed } from '../editing/signing.ts'
import type { Settled } from './settled.ts'

export async function askOwn(intent: Intent, options: AskOptions): Promise<number> {
  const { agent, realm, log, session, wait: waitMs } = options
  const why = 'this user reads his own alone'
  if (agent === undefined) throw usage(`say --agent: ${why}`)
  // Its messages are counted, and only who reads the log knows how many there are.
  if (session !== undefined) throw usage(`--session takes a role that reads the log: ${why}`)
  const named = keyNamed(options)
  const keys = keyAccess(null)
  const key =
    named === undefined ? {} : { privateKey: await opened(await keyGiven({ keys }, named), keys) }
  const client = await connectOwn({ as: agent, realm, ...(log !== undefined && { log }), ...key })
  try {
    const content = intent.goal ?? `use ${intent.tool}`
    const { address } = await client.publish({ type: 'query', content, payload: { intent } })
    const hints = hintsFor(options, process.env)
    const tell = (text: string, reason: boolean): void =>
      note(`waiting for ${text}: ${hints(approving(address, reason))}`)
    const answer = await settled(client, address, { waitMs, tell })
    const asked = { intent: address, tool: intent.tool, agent, hints }
    await printAnswer(null, answer, { ...asked, json: options.json === true })
    return exitCodeOf(answer)
  } finally {
    await client.close()
  }
}

interface Patience {
  /** Undefined if people are not waited for. */
  readonly waitMs: number | undefined
  readonly tell: (text: string, reason: boolean) => void
}

// Where it stands in the log does not matter to who is waited for.
const nowhere = { name: '', position: 0, appendedAt: 0 }

async function settled(
  client: OwnWarrant,
  address: string,
  { waitMs, tell }: Patience,
): Promise<Settled> {
  const begunAt = Date.now()
  const answer = await client.answer(address, waitMs ?? waitMsDefault)
  if (waitMs === undefined || answer.by === 'verdict') return settledBy(answer)
  const { text, reason } = waitsFor(openReview(nowhere, answer.review), begunAt)
  tell(text, reason)
  try {
    const verdict = await client.verdict(address, begunAt + waitMs - Date.now())
    return { state: 'verdict', verdict }
  } catch (error) {
    if (error instanceof Fault && error.code === 'no_verdict') return settledBy(answer)
    throw error
  }
}

function settledBy(answer: OwnAnswer): Settled {
  if (answer.by === 'verdict') return { state: 'verdict', verdict: answer.verdict }
  return { state: 'waits', waits: waitsFor(openReview(nowhere, answer.review), Date.now()) }
}
