// The airline's service agents as a piece to play.
import type { Runtime } from '#runtime/engine/runtime'
import { answerReviews, newCast, policyAdmin, principalsOf } from '#services/demo/cast'
import { play } from '#services/demo/player'
import { readRecording } from '#services/demo/recording'
import { count, newScore } from '#services/demo/score'
import { connect } from '#services/client/connect'
import { seedPath, seedWith, type DemoPiece } from './piece.ts'
import { scoreLines } from './print.ts'

export async function airlinePiece(data: string | undefined): Promise<DemoPiece> {
  const folder = seedPath('airline')
  const recording = await readRecording(data ?? folder)
  const { conversations } = recording
  const cast = newCast()
  const score = newScore()
  return {
    unit: 'conversations',
    count: conversations.length,
    seed(runtime) {
      const author = { id: policyAdmin, privateKey: cast.keys.get(policyAdmin) ?? '' }
      return seedWith(runtime, { folder, operations: principalsOf(cast, conversations) }, author)
    },
    async begin(runtime: Runtime) {
      const end = answerReviews(await connect({ runtime }), cast)
      return {
        end,
        async play(index, signal) {
          const conversation = conversations[index]
          if (conversation === undefined) return
          const counted = (played: Parameters<typeof count>[3]): void => {
            count(score, recording, conversation, played)
          }
          await play(runtime, cast, conversation, counted, signal)
        },
      }
    },
    lines: (shown) => scoreLines({ ...shown, score, conversations }),
    json: () => score,
  }
}
