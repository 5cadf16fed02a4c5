// In which cell of a realm an intent or an agent is. An intent is looked for in the log of each;
// for an agent the catalog says it, which all cells share.
import type { Catalog } from '#rules/catalog/catalog'
import { cellOf } from '#rules/catalog/cells'
import { Fault } from '#record/fault'
import { agentIn, partsInRealm, token } from '#record/names'
import { ambiguous, intentsMeant } from '#client/reading/intent-named'
import { withOneLog, withRuntime } from '../opened.ts'
import type { GlobalOptions } from '../options.ts'
import { atOnce, logsMeant, realmsText, type LogMeant } from './logs.ts'

/** Where an intent is, and what means it there. */
export interface IntentMeant<O extends GlobalOptions> {
  readonly options: O
  readonly meant: string
}

interface Candidate<O extends GlobalOptions> {
  readonly at: LogMeant<O>
  readonly address: string
}

/**
 * The log that has the intent, by the name of a fact about it, its address, or an end of that.
 * `which`: whether one that is open goes before all others. Throws a Fault where none has it, or
 * where several may be meant.
 */
export async function cellOfIntent<O extends GlobalOptions>(
  options: O,
  meant: string,
  which: 'any' | 'open',
): Promise<IntentMeant<O>> {
  const all = await logsMeant(options)
  if (all.length === 1) return { options, meant }
  const named = all.find((each) => partsInRealm(meant, each.options.realm) !== null)
  if (named !== undefined) return { options: named.options, meant }
  const found = await candidatesIn(all, meant)
  const [first] = found
  if (first === undefined) {
    const looked = `looked in ${realmsText(all)}`
    const message = `no cell has an intent \`${meant}\` (${looked}): list them with \`warrant log\``
    throw new Fault('no_intent', message)
  }
  if (found.length === 1) return { options: first.at.options, meant: first.address }
  // What is ambiguous within one log is for the command to say.
  if (found.every(({ at }) => at === first.at)) return { options: first.at.options, meant }
  const only = await oneOf(options, found, which)
  if (only !== null) return { options: only.at.options, meant: only.address }
  throw ambiguous(
    meant,
    found.map(({ at, address }) => `${address} in ${at.options.realm}`),
  )
}

async function candidatesIn<O extends GlobalOptions>(
  all: readonly LogMeant<O>[],
  meant: string,
): Promise<readonly Candidate<O>[]> {
  const each = await atOnce(all, (at) =>
    withOneLog(at.options, async (log, place) => {
      const addresses = await intentsMeant(log, place, meant)
      return addresses.map((address) => ({ at, address }))
    }),
  )
  return each.flat()
}

/** The only one that is open, if that is asked; the one in the agent's own cell. */
async function oneOf<O extends GlobalOptions>(
  options: O,
  found: readonly Candidate<O>[],
  which: 'any' | 'open',
): Promise<Candidate<O> | null> {
  const left = which === 'open' ? await openOf(found) : found
  if (left.length === 1) return left[0] ?? null
  const addresses = new Set(left.map(({ address }) => address))
  const [address] = addresses
  if (address === undefined || addresses.size > 1) return null
  const cell = agentCell(await catalogOf(options), agentIn(address))
  return left.find(({ at }) => at.cell === cell) ?? null
}

async function openOf<O extends GlobalOptions>(
  found: readonly Candidate<O>[],
): Promise<readonly Candidate<O>[]> {
  const logs = [...new Set(found.map(({ at }) => at))]
  const each = await atOnce(logs, (log) =>
    withRuntime(log.options, { reads: true }, ({ follower }) =>
      Promise.resolve(
        found.filter(({ at, address }) => at === log && follower.state.intents.has(address)),
      ),
    ),
  )
  return each.flat()
}

/** By its token, as an address has it. */
function agentCell(catalog: Catalog, agent: string): number | null {
  const id = [...catalog.principals.keys()].find((each) => token(each) === agent)
  return cellOf(catalog, id ?? agent)
}

/** The options that mean the log of the agent's cell; as they are where there are no cells. */
export async function cellOfAgent<O extends GlobalOptions>(
  options: O,
  agentFrom: (catalog: Catalog) => string,
): Promise<O> {
  const all = await logsMeant(options)
  if (all.length === 1) return options
  const catalog = await catalogOf(options)
  const agent = agentFrom(catalog)
  const cell = cellOf(catalog, agent)
  const at = all.find((each) => each.cell === cell)
  if (at !== undefined) return at.options
  const says = cell === null ? 'has no "cells"' : `places \`${agent}\` in cell ${cell}`
  const message = `the catalog ${says}, and the realm \`${options.realm}\` has ${all.length} cells`
  throw new Fault('no_cell', `${message}: seed "cells": ${all.length}`)
}

/** What all cells share is in the control log, which is short. */
function catalogOf(options: GlobalOptions): Promise<Catalog> {
  return withRuntime(options, { reads: true }, ({ follower }) =>
    Promise.resolve(follower.state.catalog),
  )
}
