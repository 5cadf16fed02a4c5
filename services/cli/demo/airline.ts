// The airline's service agents as a piece to play.
import { agentIn, token } from '#record/names'
import type { Runtime } from '#runtime/engine/runtime'
import type { AnswersReview } from '#demo/asking'
import {
  airlineDesk,
  airlineMembers,
  airlineTools,
  customer,
  policyAdmin,
} from '#demo/airline-cast'
import { agentOfSession, newKeys } from '#demo/members'
import { play, type Played } from '#demo/player'
import { callKey, type Call } from '#demo/recorded'
import { count, newScore } from './airline-score.ts'
import { keepVerdict, type PlayedVerdicts } from './compared-verdicts.ts'
import { clientsOn, seedPath, seedWith, signerAmong } from './piece.ts'
import type { DemoPiece, PieceOptions } from './piece.ts'
import { scoreLines } from './print.ts'
import { readRecording } from './recording.ts'
import { demoGateway, presenting } from './through-gateway.ts'

/** So many reviews are left to the person at a console, each of another agent. */
const leftMax = 5

export async function airlinePiece(options: PieceOptions): Promise<DemoPiece> {
  const { data, gateway: isGoverned = false, console: isOpened = false } = options
  const folder = seedPath('airline')
  const recording = await readRecording(data ?? folder)
  const { conversations } = recording
  const keys = newKeys([policyAdmin, airlineTools, airlineDesk, customer])
  const score = newScore()
  const verdicts: PlayedVerdicts = new Map()
  const left = leftOpen(isOpened ? leftMax : 0)
  const admin = signerAmong(keys, policyAdmin)
  const { privateKey } = signerAmong(keys, customer)
  const isRight = (call: Call): boolean => recording.labels.get(callKey(call)) === true
  // The recording has no answer of its own. Harm is stopped by rules and not by this; the questions
  // are counted.
  const answer: AnswersReview = async (client, intent) => {
    if (left.leaves(intent)) return false
    await client.decide({ intent, confirmer: customer, privateKey, answers: true })
    return true
  }
  return {
    console: { admin, person: customer },
    unit: 'conversations',
    count: conversations.length,
    seed(runtime) {
      const members = airlineMembers(conversations.map(({ session }) => session))
      return seedWith(runtime, { folder, keys, members, gateway: isGoverned }, admin)
    },
    verdicts,
    async begin(runtime: Runtime) {
      const gateway = isGoverned ? await demoGateway(runtime) : null
      const stage = {
        open: clientsOn(runtime, keys),
        tools: airlineTools,
        person: airlineDesk,
        justification: 'the customer of this conversation wants it',
        answer: () => answer,
        // Its rules read the results themselves, so the airline's tools say them in either case.
        toolsSpeak: true,
        carryOut: gateway === null ? null : presenting(gateway, isRight),
      }
      return {
        async play(index, signal) {
          const conversation = conversations[index]
          if (conversation === undefined) return
          const onCall = (played: Played): void => {
            count(score, recording, conversation, played)
            keepVerdict(verdicts, played)
          }
          // A conversation that waits for a person goes on when that person has answered.
          const played = play({ ...stage, onCall }, conversation, signal)
          await Promise.race([played, left.at(agentOfSession(conversation.session))])
          played.catch((error: unknown) => runtime.logger.debug({ error }, 'not played on'))
        },
        tally: async () => (await gateway?.tally()) ?? null,
        end: async () => gateway?.close(),
      }
    },
    lines: (shown) => scoreLines({ ...shown, score, conversations }),
    json: () => score,
  }
}

interface LeftOpen {
  /** Whether the review of that intent is left to a person. */
  readonly leaves: (address: string) => boolean
  /** Resolves when one of that agent is; else never. */
  at(agent: string): Promise<void>
}

function leftOpen(max: number): LeftOpen {
  const agents = new Map<string, (() => void) | null>()
  return {
    leaves(address) {
      const agent = agentIn(address)
      const isNew = !agents.has(agent) || agents.get(agent) !== null
      const left = [...agents.values()].filter((ring) => ring === null).length
      if (isNew && left >= max) return false
      agents.get(agent)?.()
      agents.set(agent, null)
      return true
    },
    at(agent) {
      if (agents.get(token(agent)) === null) return Promise.resolve()
      return new Promise((resolve) => agents.set(token(agent), resolve))
    },
  }
}
