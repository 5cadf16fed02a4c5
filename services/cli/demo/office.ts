// Office agents that read what others wrote, as a piece to play: one suite of tools, its user, and
// sessions of which some were attacked.
import type { Runtime } from '#runtime/engine/runtime'
import { newKeys, type Keys } from '#demo/members'
import { officeAdmin, officeMembers, officeTools, officeUser } from '#demo/office-cast'
import { play, type SessionStage } from '#demo/player'
import { callKey, type Call } from '#demo/recorded'
import { writeLine } from '#record/ndjson'
import { keepVerdict, type PlayedVerdicts } from './compared-verdicts.ts'
import {
  catalogFolder,
  readEnvironment,
  readOffice,
  type OfficeRecording,
} from './office-recording.ts'
import { officeScore, endedCall, type EndedCall, type OfficeScore } from './office-score.ts'
import {
  clientsOn,
  seedPath,
  seedWith,
  signerAmong,
  type DemoPiece,
  type PieceOptions,
  type PieceShown,
} from './piece.ts'
import { demoGateway, presenting } from './through-gateway.ts'
import { writeTexts } from '#cli/terminal/opening/file'
import { tableLines } from '#cli/terminal/table'
import type { Line } from '#cli/terminal/line'
import { playedLines } from './print.ts'

export async function officePiece(options: PieceOptions): Promise<DemoPiece> {
  const { data, gateway: isGoverned = false, calls: callsFile } = options
  const recorded = data ?? seedPath('office', 'sample')
  const { suite, user, presentDate } = await readEnvironment(recorded)
  const folder = catalogFolder(suite, options)
  const recording = await readOffice(recorded)
  const { sessions, labels } = recording
  // Where it cannot be written, nothing is played.
  if (callsFile !== undefined) await writeTexts(callsFile, [])
  const keys = newKeys([officeAdmin, officeTools, officeUser])
  const isRight = (call: Call): boolean => {
    const label = labels.get(callKey(call))
    return label?.changes === true && label.gold
  }
  const outcomes = new Map<string, EndedCall>()
  // In the order of the recording, whichever was played first.
  const played = (): readonly EndedCall[] =>
    sessions.flatMap(({ steps }) => steps.flatMap((step) => outcomes.get(callKey(step)) ?? []))
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
      const seed = { folder, keys, members, operations }
      const author = signerAmong(keys, officeAdmin)
      return seedWith(runtime, { ...seed, gateway: isGoverned }, author)
    },
    verdicts,
    async begin(runtime: Runtime) {
      const { id: principal, privateKey: ofTools } = signerAmong(keys, officeTools)
      const speaker = { principal, privateKey: ofTools }
      const gateway = isGoverned ? await demoGateway(runtime, speaker) : null
      const stage: SessionStage = {
        ...cast(runtime, { keys, labels }),
        // A gateway says what came of its calls as digests.
        toolsSpeak: gateway === null,
        carryOut: gateway === null ? null : presenting(gateway, isRight),
        onCall(one) {
          outcomes.set(callKey(one.call), endedCall(one))
          keepVerdict(verdicts, one)
        },
      }
      return {
        tally: async () => (await gateway?.tally()) ?? null,
        async end() {
          await gateway?.close()
          if (callsFile !== undefined) await writeTexts(callsFile, played().map(writeLine))
        },
        async play(index, signal) {
          const session = sessions[index]
          if (session !== undefined) await play(stage, session, signal)
        },
      }
    },
    lines(shown) {
      const score = officeScore(played(), recording)
      return officeLines({ ...shown, score, suite, sessions: sessions.length })
    },
    json: () => officeScore(played(), recording),
  }
}

/** Who speaks, and what people say who are asked. */
function cast(
  runtime: Runtime,
  { keys, labels }: { readonly keys: Keys } & Pick<OfficeRecording, 'labels'>,
): Omit<SessionStage, 'toolsSpeak' | 'carryOut' | 'onCall'> {
  const { privateKey } = signerAmong(keys, officeUser)
  return {
    open: clientsOn(runtime, keys),
    tools: officeTools,
    person: officeUser,
    justification: 'the user of this session asked for it',
    // The user knows what was asked for, and says no to all else.
    answer: (call) => async (client, intent) => {
      const answers = labels.get(callKey(call))?.gold === true
      await client.decide({ intent, confirmer: officeUser, privateKey, answers })
      return true
    },
  }
}

// The office demo's result as a person reads it.

interface OfficeShown extends PieceShown {
  readonly score: OfficeScore
  readonly suite: string
  readonly sessions: number
}

function officeLines(shown: OfficeShown): readonly Line[] {
  const { score, suite, sessions } = shown
  return playedLines(shown, {
    what: `${sessions} sessions`,
    whose: ` of office agents (${suite})`,
    tools: score.tools,
    tables: [toolLines(score), labelLines(score)],
  })
}

function toolLines({ tools }: OfficeScore): readonly Line[] {
  const rows = Object.entries(tools).toSorted(([, a], [, b]) => b.calls - a.calls)
  return tableLines(
    ['tool', 'allowed', 'asked', 'denied', 'not allowed, by first reason'],
    rows.map(([name, { allowed, asked, denied, reasons }]) => {
      const why = Object.entries(reasons)
        .toSorted(([, a], [, b]) => b - a)
        .map(([code, times]) => `${code} ${times}`)
      return [name, String(allowed), String(asked), String(denied), why.join(', ')]
    }),
  )
}

// Of the calls that change something.
function labelLines(score: OfficeScore): readonly Line[] {
  const { right, harmful, other } = score
  const stopped = harmful.denied + harmful.asked
  const row = (name: string, injected: number, through: number, asked: number): string[] => [
    name,
    `${injected} of ${harmful.total}`,
    `${through} of ${right.total}`,
    String(asked),
  ]
  const questions = right.asked + harmful.asked + (other?.asked ?? 0)
  const all = right.total + harmful.total + (other?.total ?? 0)
  const rows = [
    row('warrant', stopped, right.total - right.denied, questions),
    row('ask about all', harmful.total, right.total, all),
    row('allow all', 0, right.total, 0),
  ]
  return [
    ...tableLines(['', 'injected calls stopped', 'right calls through', 'questions'], rows),
    `of the right calls ${right.allowed} without a review, ${right.asked} after one, ` +
      `${right.denied} denied; of the injected ones ${harmful.denied} denied, ` +
      `${harmful.asked} declined by the user, ${harmful.allowed} allowed`,
    ...otherLines(score),
  ]
}

// What only recordings have that describe their sessions.
function otherLines({ other, void: left = 0, benign, attacked }: OfficeScore): readonly Line[] {
  if (other === undefined || benign === undefined || attacked === undefined) return []
  const rows = Object.entries({ benign, attacked }).map(([name, one]) => [
    name,
    String(one.sessions),
    `${one.kept} of ${one.useful}`,
    (one.questions / Math.max(1, one.sessions)).toFixed(2),
  ])
  return [
    `of ${other.total} calls that are neither, ${other.allowed} without a review, ` +
      `${other.asked} declined by the user, ${other.denied} denied; ${left} calls are left out, ` +
      'since what they would carry out was stopped',
    '',
    ...tableLines(['sessions', '', 'utility kept', 'questions each'], rows),
    `${attacked.complete} of ${attacked.succeeded} attacks that succeeded are still complete`,
  ]
}
