// Office agents that read what others wrote, as a piece to play: one suite of tools, its user, and
// sessions of which some were attacked.
import type { Runtime } from '#runtime/engine/runtime'
import {
  newOfficeKeys,
  officeAdmin,
  officeOperations,
  officeTools,
} from '#services/demo/office/cast'
import { keepVerdict, type PlayedVerdicts } from '#services/demo/gateway/compare'
import { demoGateway } from '#services/demo/gateway/through'
import { playOffice, scriptedUser, type OfficePlayed } from '#services/demo/office/player'
import { readOffice } from '#services/demo/office/recording'
import { countOffice, newOfficeScore } from '#services/demo/office/score'
import { callKey } from '#services/demo/recording'
import { connect } from '#services/client/connect'
import { officeLines } from './print-office.ts'
import { seedPath, seedWith, type DemoPiece, type PieceOptions } from './piece.ts'

export async function officePiece(options: PieceOptions): Promise<DemoPiece> {
  const { data, gateway: isGoverned = false } = options
  const { environment, sessions, labels } = await readOffice(data ?? seedPath('office', 'sample'))
  const { suite } = environment
  const keys = newOfficeKeys()
  const score = newOfficeScore()
  const verdicts: PlayedVerdicts = new Map()
  return {
    unit: 'sessions',
    count: sessions.length,
    seed(runtime) {
      const author = { id: officeAdmin, privateKey: keys.get(officeAdmin) ?? '' }
      const operations = officeOperations(keys, environment, sessions)
      const folder = seedPath('office', suite)
      return seedWith(runtime, { folder, operations, gateway: isGoverned }, author)
    },
    verdicts,
    async begin(runtime: Runtime) {
      const user = scriptedUser(await connect({ runtime }), keys)
      const speaker = { principal: officeTools, privateKey: keys.get(officeTools) ?? '' }
      const gateway = isGoverned ? await demoGateway(runtime, speaker) : null
      const stage = { runtime, keys, user, labels, ...(gateway !== null && { gateway }) }
      const counted = (played: OfficePlayed): void => {
        const { session, step } = played.call
        countOffice(score, labels.get(callKey(session, step)), played)
        keepVerdict(verdicts, played)
      }
      return {
        tally: async () => (await gateway?.tally()) ?? null,
        async end() {
          user.stop()
          await gateway?.close()
        },
        async play(index, signal) {
          const session = sessions[index]
          if (session !== undefined) await playOffice(stage, session, counted, signal)
        },
      }
    },
    lines: (shown) => officeLines({ ...shown, score, suite, sessions: sessions.length }),
    json: () => score,
  }
}
