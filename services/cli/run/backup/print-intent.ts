// What an export of one intent holds, what deriving it again proves, and what no part of a log can.
import { agentIn } from '#record/names'
import { quoted } from '#record/quote'
import { shortIntent } from '#present/approving'
import { counted, utc } from '#present/wording'
import { derivesAll, type IntentRead, type IntentTaken } from '#replay/backup/intent'
import type { VerdictData } from '#schemas/facts'
import { replayLines } from '../replay/print.ts'
import type { Hints } from '#cli/terminal/hint'
import { shellWord } from '#cli/terminal/hint'
import { toned, type Line } from '#cli/terminal/line'
import { sizeText } from '#cli/terminal/size'

interface ExportShown {
  readonly file: string
  readonly bytes: number
  readonly intent: string
  readonly taken: IntentTaken
}

export function exportLines(
  { file, bytes, intent, taken }: ExportShown,
  hints: Hints,
): readonly Line[] {
  const { report, about, isWhole } = taken
  const isSound = derivesAll(report, about)
  const root = report.root === null ? '' : ` --root-key ${report.root}`
  const all = isWhole ? ': fewer did not derive it' : ` of ${about.to}`
  const derived = `derived again from them: ${counted(about.derived, 'decision')}`
  return [
    toned(isSound ? 'good' : 'bad', `exported: ${file}, ${sizeText(bytes)}`),
    `  intent ${intent}`,
    `  ${counted(taken.facts, 'fact')}${all}`,
    ...(isSound ? [`  ${derived}`] : replayLines(report, { ms: 0, hints, folder: null })),
    `  check it elsewhere: warrant verify ${shellWord(file)}${root}`,
  ]
}

export interface IntentVerified extends IntentRead {
  readonly intent: string
  /** What the file says of when and by what it was written. */
  readonly made: string
  /** Null where there is none in it, or one that cannot be read. */
  readonly verdict: VerdictData | null
  readonly verdictAt: { readonly position: number; readonly appendedAt: number } | null
  readonly rootKey: string | null
  /** Whether its agent had to sign what it said. */
  readonly agentSigns: boolean
  /** Its story in one sentence. */
  readonly summary: string
}

export function intentLines(of: IntentVerified, hints: Hints): readonly Line[] {
  const { report, about, summary, intent, verdict, verdictAt } = of
  const isSound = derivesAll(report, about)
  const revisions =
    verdict === null
      ? []
      : [`  graph revision ${verdict.graphRevision}, catalog revision ${verdict.catalogRevision}`]
  const at =
    verdictAt === null
      ? ['  it has no verdict']
      : [`  verdict at position ${verdictAt.position}, ${utc(verdictAt.appendedAt)}`]
  return [
    toned(isSound ? 'good' : 'bad', isSound ? summary : `does not derive: ${summary}`),
    `  ${intent} (${shortIntent(intent)})`,
    ...at,
    ...revisions,
    '',
    ...(isSound ? provenLines(of) : replayLines(report, { ms: 0, hints, folder: null })),
    '',
    toned('strong', 'What this does not show'),
    ...openLines(of),
  ]
}

function provenLines(of: IntentVerified): readonly Line[] {
  const { about, verdict, rootKey, report } = of
  const agreed = verdict?.release?.confirmedBy ?? []
  const began =
    rootKey === null
      ? `the catalog was begun by the key ${report.root ?? 'of no one'}: whose that is, only ` +
        '--root-key with a key that you know can show'
      : `the catalog was begun by the root key ${rootKey}, and each change of it and of the graph` +
        ' was signed as it demands'
  const derived = counted(about.derived - report.unchecked, 'decision')
  return [
    toned('strong', 'What this shows'),
    `  ${derived} reproduced from these facts alone, byte for byte`,
    `  ${began}`,
    ...(agreed.length === 0
      ? []
      : [`  ${agreed.map(quoted).join(', ')} approved, signed with keys that the catalog has`]),
    ...(of.agentSigns
      ? [`  the intent was signed with a key of ${quoted(agentIn(of.intent))}`]
      : []),
  ]
}

/** A part of a log proves what follows from it, and never that there was nothing else. */
function openLines({ log, about, agentSigns, missing, intent, report }: IntentVerified) {
  const leftOut =
    log.leftOut === 0
      ? `nothing after position ${about.to} is in it`
      : `${log.leftOut} of ${about.to} facts are left out, and nothing after ${about.to} is in it`
  return [
    `  ${leftOut}:`,
    '  that none of those changes the answer (a block, a suspension, a use of a limit) only the',
    '  log shows, or a whole backup of it with a head that you know',
    '  positions and times are as the file has them: the log’s word, which no key signs',
    '  who carried it out and what came of it (start, outcome): the log’s word, which no key signs',
    ...(agentSigns
      ? []
      : [`  ${quoted(agentIn(intent))} has no key: that it asked for this is the log’s word too`]),
    ...(report.unchecked === 0
      ? []
      : [
          toned('warn', `  ${counted(report.unchecked, 'decision')} could not be checked here:`),
          missing.length === 0
            ? '  callback modules run only with --root-key'
            : `  the callback module ${missing.join(', ')} is not in the file`,
        ]),
  ]
}
