// The airline's service agents as a piece to play.
import { agentIn, token } from '#core/kernel/names'
import type { Runtime } from '#runtime/engine/runtime'
import {
  agentOfSession,
  answerReviews,
  customer,
  newCast,
  policyAdmin,
  principalsOf,
} from '#services/demo/cast'
import { play, type AirlineStage, type Played } from '#services/demo/player'
import { keepVerdict, type PlayedVerdicts } from '#services/demo/gateway/compare'
import { demoGateway } from '#services/demo/gateway/through'
import { callKey, readRecording } from '#services/demo/recording'
import { count, newScore } from '#services/demo/score'
import { connect } from '#services/client/connect'
import { seedPath, seedWith, type DemoPiece, type PieceOptions } from './piece.ts'
import { scoreLines } from './print.ts'

/** So many reviews are left to the person at a console, each of another agent. */
const leftMax = 5

export async function airlinePiece(options: PieceOptions): Promise<DemoPiece> {
  const { data, gateway: isGoverned = false, console: isOpened = false } = options
  const folder = seedPath('airline')
  const recording = await readRecording(data ?? folder)
  const { conversations } = recording
  const cast = newCast()
  const score = newScore()
  const verdicts: PlayedVerdicts = new Map()
  const left = leftOpen(isOpened ? leftMax : 0)
  const admin = { id: policyAdmin, privateKey: cast.keys.get(policyAdmin) ?? '' }
  return {
    console: { admin, person: customer },
    unit: 'conversations',
    count: conversations.length,
    seed(runtime) {
      const operations = principalsOf(cast, conversations)
      return seedWith(runtime, { folder, operations, gateway: isGoverned }, admin)
    },
    verdicts,
    async begin(runtime: Runtime) {
      const stop = answerReviews(await connect({ runtime }), cast, left.leaves)
      const gateway = isGoverned ? await demoGateway(runtime) : null
      const stage: AirlineStage = {
        runtime,
        cast,
        isRight: ({ session, step }) => recording.labels.get(callKey(session, step)) === true,
        ...(gateway !== null && { gateway }),
      }
      return {
        async play(index, signal) {
          const conversation = conversations[index]
          if (conversation === undefined) return
          const counted = (played: Played): void => {
            count(score, recording, conversation, played)
            keepVerdict(verdicts, played)
          }
          // A conversation that waits for a person goes on when that person has answered.
          const played = play(stage, conversation, counted, signal)
          await Promise.race([played, left.at(agentOfSession(conversation.session))])
          played.catch((error: unknown) => runtime.logger.debug({ error }, 'not played on'))
        },
        tally: async () => (await gateway?.tally()) ?? null,
        async end() {
          stop()
          await gateway?.close()
        },
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
