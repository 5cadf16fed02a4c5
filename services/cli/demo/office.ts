// Office agents that read what others wrote, as a piece to play: one suite of tools, its user, and
// sessions of which some were attacked.
import type { Runtime } from '#runtime/engine/runtime'
import { newKeys } from '#demo/members'
import { officeAdmin, officeMembers, officeTools, officeUser } from '#demo/office-cast'
import { play, type SessionStage } from '#demo/player'
import { callKey, type Call } from '#demo/recorded'
import { keepVerdict, type PlayedVerdicts } from './compared-verdicts.ts'
import { readOffice } from './office-recording.ts'
import { countOffice, newOfficeScore } from './office-score.ts'
import { clientsOn, seedPath, seedWith, signerAmong } from './piece.ts'
import type { DemoPiece, PieceOptions } from './piece.ts'
import { officeLines } from './print-office.ts'
import { demoGateway, presenting } from './through-gateway.ts'

export async function officePiece(options: PieceOptions): Promise<DemoPiece> {
  const { data, gateway: isGoverned = false } = options
  const { environment, sessions, labels } = await readOffice(data ?? seedPath('office', 'sample'))
  const { suite, user, presentDate } = environment
  const keys = newKeys([officeAdmin, officeTools, officeUser])
  const { privateKey } = signerAmong(keys, officeUser)
  const labelOf = (call: Call) => labels.get(callKey(call))
  const isRight = (call: Call): boolean => {
    const label = labelOf(call)
    return label?.changes === true && label.gold
  }
  const score = newOfficeScore()
  const verdicts: PlayedVerdicts = new Map()
  return {
    unit: 'sessions',
    count: sessions.length,
    seed(runtime) {
      const members = officeMembers(
        user.ownAccounts,
        sessions.map(({ session }) => session),
      )
      const operations =
        presentDate === null
          ? []
          : [{ op: 'set' as const, key: 'now' as const, value: `${presentDate}T12:00:00Z` }]
      const seed = { folder: seedPath('office', suite), keys, members, operations }
      const author = signerAmong(keys, officeAdmin)
      return seedWith(runtime, { ...seed, gateway: isGoverned }, author)
    },
    verdicts,
    async begin(runtime: Runtime) {
      const { id: principal, privateKey: ofTools } = signerAmong(keys, officeTools)
      const speaker = { principal, privateKey: ofTools }
      const gateway = isGoverned ? await demoGateway(runtime, speaker) : null
      const stage: SessionStage = {
        open: clientsOn(runtime, keys),
        tools: officeTools,
        person: officeUser,
        justification: 'the user of this session asked for it',
        // The user knows what was asked for, and says no to all else.
        answer: (call) => async (client, intent) => {
          const answers = labelOf(call)?.gold === true
          await client.decide({ intent, confirmer: officeUser, privateKey, answers })
          return true
        },
        // A gateway says what came of its calls as digests.
        toolsSpeak: gateway === null,
        carryOut: gateway === null ? null : presenting(gateway, isRight),
        onCall(played) {
          countOffice(score, labelOf(played.call), played)
          keepVerdict(verdicts, played)
        },
      }
      return {
        tally: async () => (await gateway?.tally()) ?? null,
        end: async () => gateway?.close(),
        async play(index, signal) {
          const session = sessions[index]
          if (session !== undefined) await play(stage, session, signal)
        },
      }
    },
    lines: (shown) => officeLines({ ...shown, score, suite, sessions: sessions.length }),
    json: () => score,
  }
}
