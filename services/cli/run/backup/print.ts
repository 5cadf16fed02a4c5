// What a backup holds, and what came of deriving it again.
import { counted, duration } from '#present/wording'
import type { Restored, RestoredLog } from '#replay/backup/restore'
import type { ReplayReport } from '#replay/replay'
import { exitCodes } from '#schemas/faults/exit'
import { replayExitCodeOf } from '../replay/run.ts'
import { replayLines } from '../replay/print.ts'
import type { Hints } from '#cli/terminal/hint'
import { toned, type Line } from '#cli/terminal/line'
import { sizeText } from '#cli/terminal/size'

type Reports = ReadonlyMap<RestoredLog, ReplayReport>

interface BundleShown {
  readonly restored: Restored
  readonly reports: Reports
  readonly file: string
  /** Of the backup. */
  readonly bytes?: number
  readonly ms: number
  /** Where the logs are, by their realm. */
  readonly targets?: ReadonlyMap<string, string>
}

export function bundleExitCode({
  restored,
  reports,
}: Pick<BundleShown, 'restored' | 'reports'>): number {
  const codes = [...reports.values()].map((report) => replayExitCodeOf(report, {}))
  if (codes.includes(exitCodes.differs)) return exitCodes.differs
  const hasAll = restored.lost.length === 0
  return Math.max(hasAll ? exitCodes.yes : exitCodes.unchecked, ...codes)
}

export function bundleLines(done: string, shown: BundleShown, hints: Hints): readonly Line[] {
  const { restored, reports, file, bytes, ms, targets } = shown
  const { logs, modules, missing, lost } = restored
  const facts = logs.reduce((sum, each) => sum + each.facts, 0)
  const size = bytes === undefined ? '' : `, ${sizeText(bytes)}`
  const held = `${counted(facts, 'fact')}, ${counted(modules.length, 'callback module')}`
  const isSound = bundleExitCode(shown) === exitCodes.yes
  const places = targets === undefined ? [file] : logs.map(({ realm }) => targets.get(realm) ?? '')
  return [
    toned(isSound ? 'good' : 'warn', `${done}: ${places.join(', ')}`),
    `  ${held}${size}, in ${duration(ms)}`,
    ...[...reports].flatMap(([one, report]) => logLines(one, report, { logs, hints, ms })),
    ...lost.map((realm) => toned('bad', `  the log of ${realm} is not in it: it was not whole`)),
    ...missing.map((digest) =>
      toned('warn', `  the callback module ${digest} is not in it: it was not beside the log`),
    ),
    ...(done === 'backed up' ? ['  no private key is in it'] : []),
  ]
}

function logLines(
  one: RestoredLog,
  report: ReplayReport,
  of: { readonly logs: readonly unknown[]; readonly hints: Hints; readonly ms: number },
): readonly Line[] {
  const name = of.logs.length === 1 ? '' : `${one.realm}: `
  const head = `  ${name}head ${one.head}`
  if (replayExitCodeOf(report, {}) === exitCodes.yes) {
    const derived = `${counted(report.derived, 'decision')} reproduced, byte for byte`
    return [head, `  ${name}read back and replayed: ${derived}`]
  }
  return [head, ...replayLines(report, { ms: of.ms, hints: of.hints, folder: null })]
}

export function bundleJson({ restored, reports, file, bytes, ms, targets }: BundleShown) {
  const { header, modules, missing, lost } = restored
  const logs = [...reports].map(([{ realm, facts, head }, report]) => {
    const at = targets?.get(realm)
    return { realm, ...(at !== undefined && { file: at }), facts, head, replay: report }
  })
  const size = bytes === undefined ? {} : { bytes }
  const { version, made } = header
  return { file, ...size, version, made, logs, modules, missing, lost, ms: Math.round(ms) }
}
