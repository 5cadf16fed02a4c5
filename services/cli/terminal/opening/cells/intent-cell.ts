// In which cell of a realm an intent or an agent is. An intent is looked for in the log of each;
// for an agent the catalog says it, which all cells share.
import type { Catalog } from '#rules/catalog/catalog'
import { cellOf } from '#rules/catalog/cells'
import { Fault } from '#record/fault'
import { agentIn, partsInRealm, realmOfCell, token } from '#record/names'
import { ambiguous, intentsMeant } from '#operations/finding/intent-named'
import { withOneLog, withRuntime } from '../opened.ts'
import type { GlobalOptions } from '../options.ts'
import { atOnce, faultsOf, realmCells, realmsText, wholeLogs, type LogMeant } from './logs.ts'

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
  const { cells: all, known, lost } = await wholeLogs(options)
  if (known === null) return { options, meant }
  const named = all.find((each) => partsInRealm(meant, each.options.realm) !== null)
  if (named !== undefined) return { options: named.options, meant }
  const found = await candidatesIn(all, meant)
  const [first] = found
  if (first === undefined) {
    // It may be in one that cannot be looked into.
    if (lost !== null) throw lost
    const looked = `looked in ${realmsText(all)}`
    const message = `no cell has an intent \`${meant}\` (${looked}): list them with \`warrant log\``
    throw new Fault('no_intent', message)
  }
  if (found.length === 1) return { options: first.at.options, meant: first.address }
  // What is ambiguous within one log is for the command to say.
  if (found.every(({ at }) => at === first.at)) return { options: first.at.options, meant }
  const only = await oneOf(found, which, known.catalog)
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
  found: readonly Candidate<O>[],
  which: 'any' | 'open',
  catalog: Catalog,
): Promise<Candidate<O> | null> {
  const left = which === 'open' ? await openOf(found) : found
  if (left.length === 1) return left[0] ?? null
  const addresses = new Set(left.map(({ address }) => address))
  const [address] = addresses
  if (address === undefined || addresses.size > 1) return null
  const cell = agentCell(catalog, agentIn(address))
  return left.find(({ at }) => at.cell === cell) ?? null
}

async function openOf<O extends GlobalOptions>(
  found: readonly Candidate<O>[],
): Promise<readonly Candidate<O>[]> {
  const logs = [...new Set(found.map(({ at }) => at))]
  const each = await atOnce(logs, (log) =>
    withRuntime(log.options, { reads: true, shows: true }, ({ follower }) =>
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

/**
 * The options that mean the log of the agent's cell; as they are where there are no cells. Throws
 * at once what keeps that log from being opened.
 */
export async function cellOfAgent<O extends GlobalOptions>(
  options: O,
  agentFrom: (catalog: Catalog) => string,
): Promise<O> {
  const known = await realmCells(options)
  if (known === null) return options
  const { catalog, count } = known
  const cell = cellOf(catalog, agentFrom(catalog))
  if (cell === null) {
    const has = `the realm \`${options.realm}\` has ${count} cells`
    throw new Fault('no_cell', `the catalog has no "cells", and ${has}: seed "cells": ${count}`)
  }
  const meant = { ...options, realm: realmOfCell({ of: options.realm, index: cell }) }
  const [fault = null] = await faultsOf([{ options: meant, cell }], known)
  if (fault !== null) throw fault
  return meant
}
