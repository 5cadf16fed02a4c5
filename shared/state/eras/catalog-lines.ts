// The catalog as lines, and back: what people wrote keeps the order of its keys.
import { z } from 'zod'
import {
  Capability,
  CatalogFile,
  Confirmation,
  Group,
  Limit,
  Principal,
  TrustedEvidence,
} from '#schemas/catalog'
import { Resource } from '#schemas/rules/resource'
import type { Catalog, SettingName } from '#rules/catalog/catalog'
import { settingsMade } from '#rules/catalog/catalog-file'
import { heldPrincipals } from '#rules/catalog/people/held-principals'
import { refuseUnknownRules } from '#rules/catalog/rules-version'
import type { State } from '../state.ts'
import { kept, type Kept } from '../part-lines.ts'

const settingShapes = () => {
  const { conditions, defaults, budgets, servers, consoles, ...others } = CatalogFile.shape
  const { attention, work, rotation } = others
  const shapes = { conditions, defaults, budgets, servers, consoles, attention, work, rotation }
  return shapes satisfies Readonly<Record<SettingName, z.ZodType>>
}

const settings = kept('settings', 'people', {
  shape: () => ({
    trustedEvidence: z.array(TrustedEvidence),
    knownConstraints: CatalogFile.shape.knownConstraints,
    learning: z.boolean(),
    now: z.string().nullable(),
    callbacks: z.string().nullable(),
    rules: z.int().min(1),
    cells: CatalogFile.shape.cells,
    dev: CatalogFile.shape.dev,
    ...settingShapes(),
  }),
  write: ({ catalog }) => {
    const { trustedEvidence, knownConstraints, learning, now, callbacks } = catalog
    const { rules, cells, dev } = catalog
    return [
      {
        trustedEvidence,
        knownConstraints,
        learning,
        now,
        callbacks,
        rules,
        ...(cells !== null && { cells }),
        ...(dev && { dev: true as const }),
        ...settingsMade(catalog),
      },
    ]
  },
  // What follows in a log of rules to come may be of no kind that is known here.
  check: refuseUnknownRules,
  read: (state, lines) => {
    for (const line of lines) {
      const { cells = null, dev = false, conditions = [], budgets = [], servers = [] } = line
      const { consoles = [], attention = {}, work = {}, defaults = {}, rotation = {} } = line
      const lists = { conditions, budgets, servers, consoles }
      const absent = { cells, dev, ...lists, attention, work, rotation, defaults }
      state.catalog = { ...state.catalog, ...line, ...absent }
    }
  },
})

type Entry = { readonly id: string }

// One by one: an entry may be made when it is asked for, and of very many few are held at once.
function* entriesOf<T>(entries: ReadonlyMap<string, T>): Generator<{ readonly entry: T }> {
  for (const entry of entries.values()) yield { entry }
}

function byId<T extends Entry>(lines: readonly { readonly entry: T }[]): ReadonlyMap<string, T> {
  return new Map(lines.map(({ entry }) => [entry.id, entry]))
}

function put(state: State, part: Partial<Catalog>): void {
  state.catalog = { ...state.catalog, ...part }
}

/** In the order in which they are written. */
export const catalogLines: readonly Kept[] = [
  settings,
  kept('principal', 'people', {
    shape: () => ({ entry: Principal }),
    write: ({ catalog }) => entriesOf(catalog.principals),
    read: (state, lines) => {
      put(state, { principals: heldPrincipals(lines.map(({ entry }) => entry)) })
    },
  }),
  kept('keyed', 'people', {
    shape: () => ({ principal: z.string() }),
    write: ({ catalog }) => [...catalog.keyed.keys()].map((principal) => ({ principal })),
    read: (state, lines) => {
      put(state, { keyed: new Map(lines.map(({ principal }) => [principal, true])) })
    },
  }),
  kept('group', 'people', {
    shape: () => ({ entry: Group }),
    write: ({ catalog }) => entriesOf(catalog.groups),
    read: (state, lines) => put(state, { groups: byId(lines) }),
  }),
  kept('capability', 'people', {
    shape: () => ({ entry: Capability }),
    write: ({ catalog }) => entriesOf(catalog.capabilities),
    read: (state, lines) => put(state, { capabilities: byId(lines) }),
  }),
  kept('confirmation', 'people', {
    shape: () => ({ entry: Confirmation }),
    write: ({ catalog }) => entriesOf(catalog.confirmations),
    read: (state, lines) => put(state, { confirmations: byId(lines) }),
  }),
  kept('limit', 'people', {
    shape: () => ({ key: z.string(), entry: Limit }),
    write: ({ catalog }) => [...catalog.limits].map(([key, entry]) => ({ key, entry })),
    read: (state, lines) => {
      put(state, { limits: new Map(lines.map(({ key, entry }) => [key, entry])) })
    },
  }),
  kept('resource', 'people', {
    shape: () => ({ entry: Resource }),
    write: ({ catalog }) => entriesOf(catalog.resources),
    read: (state, lines) => put(state, { resources: byId(lines) }),
  }),
  kept('rollback', 'people', {
    shape: () => ({ realm: z.string(), number: z.int().min(1) }),
    write: ({ catalog }) => [...catalog.rollbacks].map(([realm, number]) => ({ realm, number })),
    read: (state, lines) => {
      put(state, { rollbacks: new Map(lines.map(({ realm, number }) => [realm, number])) })
    },
  }),
]
