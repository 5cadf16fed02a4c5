// Lists the jobs that were set aside. Whether one is still open is what the fold says.
import { utc } from '#present/wording'
import { partsInRealm, patternsOf } from '#core/kernel/names'
import { readEvent } from '#core/kernel/event'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '../opening/options.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { tableLines } from '../terminal/table.ts'
import { byTime, inCell, overCells } from '../opening/cells/logs.ts'

export interface FaultsOptions extends GlobalOptions {
  readonly open?: boolean
}

/** A job that was set aside, as the log reports it. */
export interface AsideJob {
  /** Of the fault, and its name. */
  readonly position: number
  readonly name: string
  readonly queue: string
  /** The fact that was the job, and the intent that it is about. */
  readonly about: string
  readonly intent: string | null
  readonly code: string
  readonly message: string
  readonly attempts: number
  readonly appendedAt: string
  /** Whether its intent has no verdict yet. */
  readonly open: boolean
}

const whyCharactersMax = 100

export async function listFaults(options: FaultsOptions): Promise<number> {
  const each = await overCells(options, { reads: true }, async (runtime, { cell }) => {
    const found: ListedJob[] = []
    for await (const fact of faultFacts(runtime)) {
      const aside = asideJob(runtime, fact)
      if (options.open !== true || aside.open) {
        found.push({ aside, cell, appendedAt: fact.appendedAt })
      }
    }
    return found
  })
  const listed = byTime(each)
  const json = options.json === true
  if (json) for (const { aside, cell } of listed) await printJson(inCell(aside, cell))
  else if (listed.length === 0) await print(['no job was set aside'])
  else await print(tableLines(headOf(each.length > 1), listed.map(rowOf)))
  return exitCodes.yes
}

interface ListedJob {
  readonly aside: AsideJob
  readonly cell: number | null
  readonly appendedAt: number
}

function headOf(hasCells: boolean): readonly string[] {
  const head = ['position', 'when', 'stage', 'open', 'about', 'why']
  return hasCells ? ['cell', ...head] : head
}

function faultFacts({ log, follower }: Runtime): AsyncIterable<Fact> {
  return log.read({}, patternsOf(follower.state.place, 'fault', '*', '*'))
}

/** What a fact of that kind says; of one that cannot be believed only its name. */
export function asideJob({ place, follower }: Runtime, fact: Fact): AsideJob {
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
  const open = intent !== null && follower.state.intents.has(intent)
  return { ...found, about, intent, code, message, attempts, open }
}

function rowOf({ aside, cell }: ListedJob): readonly string[] {
  const { position, appendedAt, queue, open, about, code, message } = aside
  const why = `${code}: ${message}`
  const short = why.length > whyCharactersMax ? `${why.slice(0, whyCharactersMax)}…` : why
  const when = utc(Date.parse(appendedAt))
  const row = [String(position), when, queue, open ? 'yes' : 'no', about, short]
  return cell === null ? row : [String(cell), ...row]
}
