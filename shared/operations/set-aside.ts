// Jobs that a stage has set aside, as faults in the log report them. Whether one is still open is
// what the fold says.
import { partsInRealm, patternsOf } from '#record/names'
import { readEvent } from '#record/event'
import type { Fact } from '#ports/log'
import type { State } from '#state/state'
import { utc } from '#present/wording'
import { faultsAsked, type AsideRow } from '#schemas/operations/faults'
import { answersOf, listShown, type Columns } from './answering.ts'
import { ofLog, pageByTime, type PlacedRow, type RealmLog } from './realm.ts'

const whyCharactersMax = 100

const columns: Columns<AsideRow> = {
  empty: 'no job was set aside',
  columns: [
    ['position', ({ position }) => String(position)],
    ['when', ({ appendedAt }) => utc(Date.parse(appendedAt))],
    ['stage', ({ queue }) => queue],
    ['open', ({ open }) => (open ? 'yes' : 'no')],
    ['about', ({ about }) => about],
    ['why', ({ code, message }) => shortened(`${code}: ${message}`)],
  ],
}

export const faultsAnswered = answersOf(faultsAsked, {
  async answer({ realm }, { open = false, ...page }) {
    const all = (await Promise.all(realm.logs.map(asideIn))).flat()
    const meant = all.filter(({ row }) => !open || row.open)
    return pageByTime(realm, meant, { ...page, newestFirst: true }, ({ row }) => row)
  },
  shown: (page) => listShown(columns, page),
})

async function asideIn(at: RealmLog): Promise<(PlacedRow & { readonly row: AsideRow })[]> {
  const found: (PlacedRow & { readonly row: AsideRow })[] = []
  for await (const fact of at.log.read({}, patternsOf(at.state.place, 'fault', '*', '*'))) {
    const { position, appendedAt } = fact
    found.push({ at, position, appendedAt, row: { ...asideJob(at.state, fact), ...ofLog(at) } })
  }
  return found
}

function shortened(why: string): string {
  return why.length > whyCharactersMax ? `${why.slice(0, whyCharactersMax)}…` : why
}

/** What a fact of that kind says; of one that cannot be believed only its name. */
export function asideJob({ place, intents }: State, fact: Fact): AsideRow {
  const { position, name } = fact
  const [queue = '', at = ''] = partsInRealm(name, place.realm)?.tokens ?? []
  const appendedAt = new Date(fact.appendedAt).toISOString()
  const found = { position, name, queue, appendedAt }
  const reading = readEvent('fault', fact)
  const said = reading.ok ? reading.event.data : null
  if (said === null || said.queue !== queue || String(said.position) !== at) {
    const message = reading.ok ? 'it says another job than its name' : reading.why
    const unknown = { about: '', intent: null, attempts: 0, open: false }
    return { ...found, ...unknown, code: 'unreadable', message }
  }
  const { name: about, code, message, attempts } = said
  const intent = partsInRealm(about, place.realm)?.address ?? null
  const open = intent !== null && intents.has(intent)
  return { ...found, about, intent, code, message, attempts, open }
}
