// What allowed calls came through on luck: what they name no one but the agent had said, or nothing
// had read. With the rules that would have demanded it.
import { listed } from '#record/quote'
import { counted } from '#present/wording'
import { toned } from '#present/lines'
import { luckAsked } from '#schemas/operations/counts'
import { answersOf } from './answering.ts'
import { sectionOf } from './counts.ts'
import { folding, foldsOf } from './counting/folded.ts'
import { meantKnown } from './finding/known-names.ts'
import { demandsFor } from './counting/luck/demanding.ts'
import { countingLuck } from './counting/luck/lucky-calls.ts'
import { firstLogOf } from './realm.ts'

export const luckAnswered = answersOf(luckAsked, {
  async answer({ realm }, { limit, ...given }) {
    const count = countingLuck(await meantKnown(realm, given))
    const { begin, logs } = foldsOf(realm)
    for (const one of logs) {
      await folding(one, (fact, folded, state) => count.take(one.at.log, fact, folded, state))
    }
    const { places, ...counts } = count.read()
    const { catalog } = firstLogOf(realm).state
    const rows = places.map(({ tool, arg, kind, calls, agentAlone, others, unread, shown }) => {
      const shownBy = [...new Set(shown.map((one) => one.tool))]
      return { tool, arg, kind, calls, agentAlone, others, unread, shownBy }
    })
    const tools = [...new Set(rows.flatMap(({ shownBy }) => shownBy))].toSorted()
    return {
      ...begin,
      ...counts,
      rows: rows.slice(0, limit),
      count: rows.length,
      demands: demandsFor(catalog, places),
      undeclared: tools.filter((tool) => catalog.capabilities.get(tool)?.untrusted === undefined),
    }
  },
  shown({ calls, agreed, lucky, rows, count, undeclared }) {
    if (calls === 0) return ['no allowed call that changes something matches']
    const others = agreed === 0 ? '' : `; people agreed to ${agreed} more`
    const of = `${counted(calls - agreed, 'allowed call')} that change something`
    const cells = rows.map(({ tool, arg, kind, shownBy, ...row }) => {
      const numbers = [row.calls, row.agentAlone, row.others, row.unread].map(String)
      return [tool, arg, kind, ...numbers, shownBy.join(', ')]
    })
    const columns = ['tool', 'argument', 'kind', 'calls', 'agent alone', 'others', 'unread']
    return [
      toned('strong', `${of}: ${lucky} on luck${others}`),
      ...sectionOf([...columns, 'shown by'], cells),
      ...(rows.length < count ? [toned('dim', `and ${count - rows.length} more`)] : []),
      ...(rows.length === 0 ? [] : ['', asProposal]),
      ...(undeclared.length === 0 ? [] : [undeclaredText(undeclared)]),
    ]
  },
})

const asProposal =
  'Rules that would have demanded it: `warrant stats --luck --proposal > demands.json`, then ' +
  '`warrant catalog apply demands.json --dry-run`.'

const namedMax = 5

function undeclaredText(tools: readonly string[]): string {
  const more = tools.length - namedMax
  const names = listed(tools.slice(0, namedMax), 'and')
  return (
    `Results of ${names}${more > 0 ? ` and ${more} more` : ''} count for no rule of known values ` +
    'until the catalog states what others can write in them (`untrusted`).'
  )
}
