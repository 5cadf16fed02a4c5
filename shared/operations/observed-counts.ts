// What observed calls would have come to, counted as the log is folded.
import { counted } from '#present/wording'
import { toned } from '#present/lines'
import { observedCountsAsked, type ObservedRow } from '#schemas/operations/counts'
import { answersOf } from './answering.ts'
import { sectionOf } from './counts.ts'
import { folding, foldsOf } from './counting/folded.ts'
import { countingObserved } from './counting/observed.ts'
import { meantKnown } from './finding/known-names.ts'

export const observedCountsAnswered = answersOf(observedCountsAsked, {
  async answer({ realm }, { limit, ...given }) {
    const count = countingObserved(await meantKnown(realm, given))
    const { begin, logs } = foldsOf(realm)
    for (const one of logs) await folding(one, (fact, folded) => count.take(fact, folded))
    const { rows, ...counts } = count.read()
    return { ...begin, ...counts, rows: rows.slice(0, limit), count: rows.length }
  },
  shown({ calls, allow, ask, deny, rows, count }) {
    if (calls === 0) return ['no observed call is meant: nothing has run with `--observe`']
    const came = `${allow} would be allowed, ${ask} would be asked about, ${deny} would be denied`
    const cells = rows.map(({ tool, would, reason, calls: times }) => {
      return [tool, words[would], reason ?? '', String(times)]
    })
    return [
      toned('strong', `${counted(calls, 'observed call')}: ${came}`),
      ...sectionOf(['tool', 'would', 'first reason', 'calls'], cells),
      ...(rows.length < count ? [toned('dim', `and ${count - rows.length} more`)] : []),
      '',
      noneStopped,
    ]
  },
})

const noneStopped =
  'None of them was stopped: `warrant log --outcome deny` lists them, `warrant trace` says why.'

const words: Readonly<Record<ObservedRow['would'], string>> = {
  allow: 'allow',
  ask: 'ask people',
  deny: 'deny',
}
