// Grants for people and for programs.
import type { ListedGrant } from '#rules/grants/listed'
import { short } from '#record/quote'
import { utc } from '#present/wording'
import type { Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'

/** What the logs say of one grant; `cells` are those that count uses of it. */
export interface GrantRow {
  readonly listed: ListedGrant
  readonly cells: readonly { readonly cell: number | null; readonly listed: ListedGrant }[]
}

const idCharacters = 8
const conditionCharacters = 60

export function grantTable(rows: readonly GrantRow[]): readonly Line[] {
  return tableLines(
    ['grant', 'signer', 'capability', 'agents', 'calls', 'left', 'until', 'state'],
    rows.map((row) => {
      const { id, data } = row.listed.grant
      return [
        id.slice(-idCharacters),
        data.confirmer,
        data.capability,
        data.agents.join(', '),
        short(data.when, conditionCharacters),
        leftText(row),
        utc(data.until),
        stateText(row),
      ]
    }),
  )
}

function leftText({ listed, cells }: GrantRow): string {
  const of = cells.length === 0 ? [{ cell: null, listed }] : cells
  return of
    .map(({ cell, listed: { usesLeft, budgetLeft, grant } }) => {
      const { uses, budget } = grant.data
      const sum = budgetLeft === null ? '' : `, ${budgetLeft} of ${budget?.max ?? ''}`
      const where = cell === null || of.length === 1 ? '' : `cell ${cell}: `
      return `${where}${usesLeft} of ${uses}${sum}`
    })
    .join('; ')
}

export function stateText({ listed: { state, why } }: GrantRow): string {
  if (state === 'used_up') return 'used up'
  return why === null ? state : `${state}: ${why}`
}

/** One grant as a program gets it. */
export function grantJson({ listed, cells }: GrantRow): object {
  const { grant, state, why } = listed
  const { id, name, position, appendedAt, endedBy, data } = grant
  return {
    id,
    name,
    position,
    signedAt: new Date(appendedAt).toISOString(),
    state,
    why,
    endedBy,
    left: cells.map(({ cell, listed: { usesLeft, budgetLeft } }) => ({
      ...(cell !== null && { cell }),
      uses: usesLeft,
      budget: budgetLeft,
    })),
    grant: data,
  }
}
