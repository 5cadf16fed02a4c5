// Grants with what is left of each, in every log that counts uses of them, and one with what it
// would let through.
import { grantPreviewLines } from '#present/action/grant-preview'
import { grantLines } from '#present/story/grant'
import { utc } from '#present/wording'
import { Fault } from '#record/fault'
import { short } from '#record/quote'
import { listedGrant, type ListedGrant } from '#rules/grants/listed'
import { routineWords } from '#knowledge/routine/routine-words'
import { previewGrant } from '#runtime/grants/preview'
import { grantAsked, grantsAsked, type GrantRow } from '#schemas/operations/grants'
import { answersOf, listShown, type Columns } from './answering.ts'
import {
  answeredNow,
  instant,
  ofLog,
  pageByName,
  type Asker,
  type Realm,
  type RealmLog,
} from './realm.ts'

export const grantsAnswered = answersOf(grantsAsked, {
  answer({ realm, by }, { all, signer, ...page }) {
    const meant = rowsOf(realm, by).filter(({ state, terms }) => {
      if (signer !== undefined && terms.confirmer !== signer) return false
      return all === true || state === 'open' || state === 'idle'
    })
    return pageByName(realm, meant, page, { name: ({ grant }) => grant, row: (row) => row })
  },
  shown: (page) => listShown(columns, page),
})

export const grantAnswered = answersOf(grantAsked, {
  async answer({ realm, by }, { grant: meant }) {
    const grant = rowMeant(rowsOf(realm, by), meant)
    const logs = realm.logs.filter((at) => countsIn(at, grant.terms))
    const would = logs.map(async (at) => {
      const { log, state } = at
      return { ...(await previewGrant({ log, state, now: realm.now }, grant.terms)), ...ofLog(at) }
    })
    return { ...answeredNow(realm), grant, would: await Promise.all(would) }
  },
  shown: ({ grant, would }) => [
    ...grantOnScreen(grant),
    ...would.flatMap((preview) => grantPreviewLines(preview)),
  ],
})

/** All that was signed, and how it stands. */
export function grantOnScreen(row: GrantRow): readonly string[] {
  return [...grantLines(row.grant, row.terms), `  state       ${stateText(row)}`]
}

/** The one that is meant by its ID or an end of that. */
function rowMeant(rows: readonly GrantRow[], meant: string): GrantRow {
  const exact = rows.filter(({ grant }) => grant === meant)
  const found = exact.length > 0 ? exact : rows.filter(({ grant }) => grant.endsWith(meant))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const why = found.length === 0 ? 'the log has no grant' : `${found.length} grants end so:`
  throw new Fault('no_grant', `${why} \`${meant}\`: list them with \`warrant grants --all\``)
}

/**
 * One’s own; for who may read all of the log, all. Each once: all cells have the same, and each
 * counts what is used of them there.
 */
function rowsOf({ logs, now }: Realm, { principal, readsAll }: Asker): readonly GrantRow[] {
  const [first] = logs
  const seen = [...(first?.state.grants.byId.values() ?? [])].filter(({ data }) => {
    return readsAll || data.confirmer === principal
  })
  return seen.map((grant) => {
    const { id, name, position, appendedAt, endedBy, data } = grant
    const { signature: _, ...terms } = data
    const counting = logs.filter((at) => countsIn(at, terms))
    const each = counting.map((at) => ({ at, listed: listedIn(at, id, now) }))
    const open = each.find(({ listed }) => listed?.state === 'open') ?? each[0]
    const { state = 'idle', why = null } = open?.listed ?? {}
    return {
      grant: id,
      name,
      position,
      signedAt: instant(appendedAt),
      state,
      why,
      endedBy,
      left: each.flatMap(({ at, listed }) => {
        return listed === null ? [] : [{ ...leftOf(listed), ...ofLog(at) }]
      }),
      terms,
    }
  })
}

function countsIn({ cell }: RealmLog, { perCell, cell: of }: GrantRow['terms']): boolean {
  return perCell === true || of === undefined || cell === undefined || of === cell
}

function listedIn({ state }: RealmLog, id: string, now: number): ListedGrant | null {
  const { catalog, grants, grantUses } = state
  const grant = grants.byId.get(id)
  return grant === undefined ? null : listedGrant(catalog, { grant, uses: grantUses.get(id) }, now)
}

function leftOf({ usesLeft: uses, budgetLeft: budget }: ListedGrant) {
  return { uses, budget }
}

const idCharacters = 8
const conditionCharacters = 60

const columns: Columns<GrantRow> = {
  empty: 'there is no grant that counts: `--all` lists those that have ended, too',
  columns: [
    ['grant', ({ grant }) => grant.slice(-idCharacters)],
    ['signer', ({ terms }) => terms.confirmer],
    ['capability', ({ terms }) => terms.capability],
    ['agents', ({ terms }) => terms.agents.join(', ')],
    ['calls', ({ terms }) => short(routineWords(terms.when) ?? terms.when, conditionCharacters)],
    ['left', leftText],
    ['until', ({ terms }) => utc(terms.until)],
    ['state', stateText],
  ],
}

function leftText({ left, terms }: GrantRow): string {
  return left
    .map(({ cell, uses, budget }) => {
      const sum = budget === null ? '' : `, ${budget} of ${terms.budget?.max ?? ''}`
      const where = cell === undefined || left.length === 1 ? '' : `cell ${cell}: `
      return `${where}${uses} of ${terms.uses}${sum}`
    })
    .join('; ')
}

function stateText({ state, why }: GrantRow): string {
  if (state === 'used_up') return 'used up'
  return why === null ? state : `${state}: ${why}`
}
