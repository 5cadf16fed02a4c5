// The airline's service agents as a piece to play.
import type { Runtime } from '#runtime/engine/runtime'
import { answerReviews, customer, newCast, policyAdmin, principalsOf } from '#services/demo/cast'
import { play, type AirlineStage, type Played } from '#services/demo/player'
import { keepVerdict, type PlayedVerdicts } from '#services/demo/gateway/compare'
import { demoGateway } from '#services/demo/gateway/through'
import { callKey, readRecording } from '#services/demo/recording'
import { count, newScore } from '#services/demo/score'
import { connect } from '#services/client/connect'
import { seedPath, seedWith, type DemoPiece, type PieceOptions } from './piece.ts'
import { scoreLines } from './print.ts'

export async function airlinePiece(options: PieceOptions): Promise<DemoPiece> {
  const { data, gateway: isGoverned = false } = options
  const folder = seedPath('airline')
  const recording = await readRecording(data ?? folder)
  const { conversations } = recording
  const cast = newCast()
  const score = newScore()
  const verdicts: PlayedVerdicts = new Map()
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
      const stop = answerReviews(await connect({ runtime }), cast)
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
          await play(stage, conversation, counted, signal)
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
