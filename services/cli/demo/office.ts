// Office agents that read what others wrote, as a piece to play: one suite of tools, its user, and
// sessions of which some were attacked.
import type { Runtime } from '#runtime/engine/runtime'
import { newOfficeKeys, officeAdmin, officeOperations } from '#services/demo/office/cast'
import { playOffice, scriptedUser, type OfficePlayed } from '#services/demo/office/player'
import { readOffice } from '#services/demo/office/recording'
import { countOffice, newOfficeScore } from '#services/demo/office/score'
import { callKey } from '#services/demo/recording'
import { connect } from '#services/client/connect'
import { officeLines } from './print-office.ts'
import { seedPath, seedWith, type DemoPiece } from './piece.ts'

export async function officePiece(data: string | undefined): Promise<DemoPiece> {
  const { environment, sessions, labels } = await readOffice(data ?? seedPath('office', 'sample'))
  const { suite } = environment
  const keys = newOfficeKeys()
  const score = newOfficeScore()
  return {
    unit: 'sessions',
    count: sessions.length,
    seed(runtime) {
      const author = { id: officeAdmin, privateKey: keys.get(officeAdmin) ?? '' }
      const operations = officeOperations(keys, environment, sessions)
      return seedWith(runtime, { folder: seedPath('office', suite), operations }, author)
    },
    async begin(runtime: Runtime) {
      const user = scriptedUser(await connect({ runtime }), keys)
      const stage = { runtime, keys, user, labels }
      const counted = (played: OfficePlayed): void => {
        const { session, step } = played.call
        countOffice(score, labels.get(callKey(session, step)), played)
      }
      return {
        end: () => user.stop(),
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
