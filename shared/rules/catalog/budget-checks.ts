// What must hold of the budgets of a catalog: each can be read from every call that it is about,
// and what it adds up is in one cell, since each cell counts its own.
import type { Budget } from '#schemas/budgets/budget'
import { amountOfNumber, amountOfText } from '../budgets/decimal.ts'
import { budgetProblem, namedKey } from '../budgets/reading.ts'
import { openObject, typeOfArguments } from '#conditions/types'
import { didYouMean, nearest } from '#record/quote'
import type { Catalog, CatalogRefusal } from './catalog.ts'
import { cellOf } from './cells.ts'
import { topmostOwner } from './confirmers.ts'
import { keysApart } from './layered-map.ts'
import { principalIndex } from './people/principal-index.ts'
import { hasRules } from './rules-version.ts'

/** What is wrong with the budgets by themselves; null where nothing is. */
export function budgetsFault(catalog: Catalog): CatalogRefusal | null {
  const seen = new Set<string>()
  for (const [index, budget] of catalog.budgets.entries()) {
    const { name } = budget
    const at = `budgets/${index}`
    if (seen.has(name)) {
      const message = `two budgets are called \`${name}\`: rename one of them`
      return { code: 'budget_repeated', message, at: `${at}/name` }
    }
    seen.add(name)
    const max = maxOf(budget)
    if (typeof max === 'string' || max === 0n) {
      const message = `\`${name}\`: write a decimal above 0, with at most 18 digits after the point`
      return { code: 'budget_unusable', message, at: `${at}/max` }
    }
    const fault = budgetFault(catalog, budget, at)
    if (fault !== null) return fault
  }
  return null
}

function budgetFault(catalog: Catalog, budget: Budget, at: string): CatalogRefusal | null {
  const { name, capabilities } = budget
  const missing = capabilities?.find((id) => !catalog.capabilities.has(id))
  if (missing !== undefined) {
    const near = didYouMean(nearest(catalog.capabilities.keys(), missing))
    const how = near === '' ? ': add it, or fix the name' : near
    const message = `\`${name}\`: no tool \`${missing}\`${how}`
    return { code: 'unknown_capability', message, at: `${at}/capabilities` }
  }
  const types = capabilities?.flatMap((id) => {
    const capability = catalog.capabilities.get(id)
    return capability === undefined ? [] : [typeOfArguments(capability.argsSchema)]
  })
  const literals = hasRules(catalog, 'strictConversions')
  for (const args of types ?? [openObject]) {
    const problem = budgetProblem(budget, args, { literals })
    if (problem === null) continue
    const { message, offset, field } = problem
    const found = `\`${name}\`: ${message} (at character ${offset + 1})`
    return { code: 'budget_unusable', message: found, at: `${at}/${field}` }
  }
  return null
}

function maxOf({ max }: Budget) {
  return typeof max === 'string' ? amountOfText(max) : amountOfNumber(max)
}

/** What it allows, in the smallest parts. */
export function maxAmount(budget: Budget): bigint {
  const max = maxOf(budget)
  return typeof max === 'string' ? 0n : max
}

/** The budget that names the capability; null where none does. */
export function budgetNaming({ budgets }: Catalog, capability: string): Budget | null {
  return budgets.find(({ capabilities }) => capabilities?.includes(capability) === true) ?? null
}

/**
 * The first budget whose key can be one of several cells; null where there is none. `before`: what
 * the catalog was made of.
 */
export function spanFault(catalog: Catalog, before: Catalog): CatalogRefusal | null {
  if (catalog.cells === null) return null
  for (const [index, budget] of catalog.budgets.entries()) {
    const spans = budget.perCell === true ? null : spanOf(catalog, budget, before)
    if (spans === null) continue
    const message = `\`${budget.name}\` ${spans}, and each cell counts its own agents alone`
    const fix = 'count per `agent`, or let each cell have the whole of it with `"perCell": true`'
    return { code: 'budget_spans_cells', message: `${message}: ${fix}`, at: `budgets/${index}` }
  }
  return null
}

// An agent and its sessions are in one cell. So is an owner with all that it owns, unless fleets
// part them.
function spanOf(catalog: Catalog, budget: Budget, before: Catalog): string | null {
  switch (namedKey(budget)) {
    case 'agent':
    case 'session':
      return null
    case 'owner': {
      const owner = partedOwner(catalog, before)
      return owner === null
        ? null
        : `is per owner, and \`${owner}\` and what it owns are in several cells`
    }
    case 'tenant':
    case null:
      return 'adds up what agents of several cells may do'
  }
}

const parted = new WeakMap<Catalog['principals'], Map<number, string | null>>()

function partedOwner(catalog: Catalog, before: Catalog): string | null {
  const { principals, cells } = catalog
  const known = parted.get(principals) ?? new Map<number, string | null>()
  parted.set(principals, known)
  const found = known.get(cells ?? 0)
  if (found !== undefined) return found
  const wasNone = parted.get(before.principals)?.get(cells ?? 0) === null
  const owner = wasNone && !isAnyParted(catalog, before) ? null : firstParted(catalog)
  known.set(cells ?? 0, owner)
  return owner
}

/** Whether one that was changed may be in another cell than its owner, where none was before. */
function isAnyParted(catalog: Catalog, { principals }: Catalog): boolean {
  for (const id of keysApart(principals, catalog.principals)) {
    if (!catalog.principals.has(id)) continue
    if (principals.has(id) && principalIndex(catalog.principals).owned.has(id)) return true
    // The owner of all others has a place, too.
    if (cellOf(catalog, id) !== cellOf(catalog, topmostOwner(catalog, id))) return true
  }
  return false
}

function firstParted(catalog: Catalog): string | null {
  const { principals } = catalog
  const cellOfOwner = new Map<string, number | null>()
  let found: string | null = null
  for (const { id } of principals.values()) {
    const owner = topmostOwner(catalog, id)
    const cell = cellOf(catalog, id)
    const other = cellOfOwner.get(owner)
    if (other !== undefined && other !== cell) found ??= owner
    cellOfOwner.set(owner, cell)
  }
  return found
}
