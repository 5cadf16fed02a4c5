// Lists test questions with what people answered. One that counts for nothing is not here.
import { isCaught } from '#core/attention/drills'
import { readData } from '#core/kernel/event'
import { utc } from '#present/wording'
import type { FoldListener } from '#runtime/engine/follower'
import { exitCodes } from '#schemas/faults/exit'
import { withRuntime } from '../opening/opened.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { tableLines } from '../terminal/table.ts'
import { print, printJson } from '../terminal/terminal.ts'

interface Listed {
  readonly name: string
  readonly appendedAt: number
  readonly by: string
  readonly shownTo: readonly string[]
  readonly capability: string
  readonly decideBy: string
  readonly answers: { readonly confirmer: string; readonly caught: boolean }[]
}

export async function listDrills(options: GlobalOptions): Promise<number> {
  const drills = new Map<string, Listed>()
  const onFolded: FoldListener = (fact, { parts, void: why }) => {
    if (parts === null || why !== null) return
    if (parts.kind === 'drill') {
      const data = readData('drill', fact)
      if (data === null) return
      const { by, shownTo, asks } = data
      const { name, appendedAt } = fact
      const { decideBy, terms } = asks
      const of = { name, appendedAt, by, shownTo, capability: terms.capability, decideBy }
      drills.set(name, { ...of, answers: [] })
    }
    if (parts.kind !== 'drillanswer') return
    const data = readData('drillanswer', fact)
    if (data === null) return
    const { confirmer, drill } = data
    drills.get(drill)?.answers.push({ confirmer, caught: isCaught(data) })
  }
  const opening = { reads: true, foldsAll: true, onFolded }
  await withRuntime(options, opening, () => Promise.resolve())
  const all = [...drills.values()]
  if (options.json === true) {
    for (const { appendedAt, ...drill } of all) {
      await printJson({ ...drill, appendedAt: new Date(appendedAt).toISOString() })
    }
  } else if (all.length === 0) await print(['no one was tested'])
  else await print(tableLines(['at', 'tool', 'by', 'shown to', 'answers'], all.map(rowOf)))
  return exitCodes.yes
}

function rowOf({ appendedAt, capability, by, shownTo, answers }: Listed): readonly string[] {
  const said = answers.map(({ confirmer, caught }) => {
    return `${confirmer} ${caught ? 'declined' : 'agreed'}`
  })
  return [utc(appendedAt), capability, by, shownTo.join(', '), said.join(', ')]
}
