// A catalog of many: what is done once for each of its entries costs no more for each, however many
// there are.
import { excessOver } from '#authoring/changes/overlay'
import { checkCatalog, flawsBrought } from '#authoring/lint/catalog-flaws'
import { emptyGraph } from '#knowledge/graph/revision'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import {
  catalogFromFile,
  catalogToFile,
  newCatalog,
  operationsFromCatalogFile,
  parseCatalogFile,
} from '#rules/catalog/catalog-file'
import type { Catalog } from '#rules/catalog/catalog'
import { askersOf } from '#rules/catalog/askers'
import { consoleRights } from '#rules/catalog/doors/console-rights'
import { doorRefusal } from '#rules/catalog/doors/speaking'
import { keylessIn } from '#rules/catalog/keyless'
import { doorFindings } from '#cli/run/doctor/catalog'
import { Collection, type CatalogOperation } from '#schemas/catalog'
import type { GrowthCase } from './counting.ts'

/**
 * As many as that of each that there may be many of: people, agents with an owner of their own,
 * groups, senders that are believed. Of tools, limits and ways to ask there are some.
 */
function catalogOf(length: number): Catalog {
  const each = <One>(made: (at: number) => One): One[] =>
    Array.from({ length }, (_, at) => made(at))
  const some = <One>(made: (at: number) => One): One[] => each(made).slice(0, 10)
  const read = parseCatalogFile({
    principals: [
      ...each((at) => ({ id: `person-${at}`, roles: at === 0 ? ['policy-admin'] : [] })),
      ...each((at) => ({
        id: `agent-${at}`,
        owner: `person-${at}`,
        roles: ['writer'],
        via: ['http'],
        identities: [{ issuer: 'https://id.example', subject: `s-${at}` }],
      })),
    ],
    groups: each((at) => ({ id: `group-${at}`, members: [`person-${at}`] })),
    confirmations: some((at) => ({
      id: `yes-${at}`,
      tier: 'four_eyes',
      group: `group-${at}`,
      quorum: 1,
    })),
    capabilities: some((at) => ({
      id: `tool-${at}`,
      description: 'writes',
      safetyClass: 'WRITE',
      confirmation: `yes-${at}`,
    })),
    limits: some((at) => ({ capability: `tool-${at}`, uses: 5, windowMs: 60_000 })),
    trustedEvidence: each((at) => ({ sender: `agent-${at}`, for: [`*`] })),
  })
  if (read.file === undefined) throw new Error(read.refused.message)
  const { catalog, refused } = catalogFromFile(read.file)
  if (catalog === undefined) throw new Error(refused.message)
  return catalog
}

/** One of which nothing was asked before. */
function fresh(catalog: Catalog): Catalog {
  return { ...catalog, principals: new Map(catalog.principals) }
}

/** Asks about each principal. */
function ofEach(catalog: Catalog, ask: (catalog: Catalog, id: string) => unknown): unknown {
  const copy = fresh(catalog)
  return [...copy.principals.keys()].map((id) => ask(copy, id))
}

const consoleRightsOf = (catalog: Catalog, id: string) => consoleRights(catalog, id)

const works: readonly (readonly [string, (catalog: Catalog) => () => unknown])[] = [
  ['is read', (catalog) => () => catalogFromFile(catalogToFile(catalog))],
  [
    'is put again',
    (catalog) => {
      const operations = operationsFromCatalogFile(catalogToFile(catalog))
      return () => applyCatalogChange(catalog, operations)
    },
  ],
  [
    'is emptied',
    (catalog) => {
      const none: CatalogOperation[] = [
        { op: 'set', key: 'trustedEvidence', value: [] },
        { op: 'set', key: 'limits', value: [] },
      ]
      const removes = Collection.options.flatMap((collection) =>
        [...catalog[collection].keys()].map((id) => ({ op: 'remove' as const, collection, id })),
      )
      return () => applyCatalogChange(catalog, [...none, ...removes])
    },
  ],
  ['is checked', (catalog) => () => checkCatalog(catalog, emptyGraph)],
  [
    'has brought flaws',
    (catalog) => () => {
      return flawsBrought(
        { catalog: newCatalog, graph: emptyGraph },
        { catalog, graph: emptyGraph },
      )
    },
  ],
  ['is compared', (catalog) => () => excessOver(catalogToFile(catalog), catalogToFile(newCatalog))],
  [
    'is asked of each at a door',
    (catalog) => () => ofEach(catalog, (copy, id) => doorRefusal(copy, id, 'http')),
  ],
  ['is asked of each at a console', (catalog) => () => ofEach(catalog, consoleRightsOf)],
  ['is looked at by doctor', (catalog) => () => doorFindings({ catalog: fresh(catalog) })],
  ['has askers', (catalog) => () => askersOf({ ...catalog })],
  ['has some without keys', (catalog) => () => keylessIn(catalog)],
]

export const catalogs: readonly GrowthCase[] = works.map(([title, work]) => ({
  title: `a catalog ${title}`,
  of: (length) => work(catalogOf(length)),
}))
