// Prints the catalog as it is or was.
import { catalogToFile } from '#rules/catalog/catalog-file'
import { driftIn } from '#authoring/plan/drift'
import { exitCodes } from '#schemas/faults/exit'
import type { MomentOptions } from '#cli/terminal/opening/moment'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, write } from '#cli/terminal/terminal'
import { driftLines } from '../plan/print.ts'
import { jsonLines } from '#present/json-lines'
import { standText } from '#cli/terminal/opening/moment-text'
import { looking } from '#cli/terminal/opening/known-at'
import type { CatalogFile } from '#schemas/catalog'
import type { Passkey } from '#schemas/people/passkey'
import type { Catalog } from '#rules/catalog/catalog'
import { keylessIn } from '#rules/catalog/keyless'
import { keyIdOf } from '#record/signature'
import { counted, duration } from '#present/wording'
import { toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'

export function showCatalog(options: GlobalOptions & MomentOptions): Promise<number> {
  return looking(options, 'catalog', async ({ knownAt, log, place }) => {
    const known = await knownAt(options.at)
    const { catalog, catalogRevision } = known
    const isNow = options.at === undefined
    const stand = isNow ? `revision ${catalogRevision}` : standText(known, 'catalog')
    if (options.json === true) await write(`${jsonLines(catalogToFile(catalog))}\n`)
    else {
      const drift = isNow ? await driftIn(log, { ...known, place }) : null
      const moved = driftLines(drift)
      await print([...catalogLines(catalog, stand), ...(moved.length > 0 ? ['', ...moved] : [])])
    }
    return exitCodes.yes
  })
}

// The catalog as tables. Of keys only their short names are shown: that is what signatures carry.

function catalogLines(catalog: Catalog, stand: string): readonly Line[] {
  const file = catalogToFile(catalog)
  return [
    toned('dim', stand),
    ...section(
      'principals',
      ['id', 'roles', 'owner', 'attributes', 'keys', ''],
      principals(catalog),
    ),
    ...section(
      'capabilities',
      ['id', 'class', 'sensitivity', 'concepts', 'confirmation', 'description'],
      capabilities(file),
    ),
    ...section('groups', ['id', 'members'], groups(file)),
    ...section(
      'confirmations',
      ['id', 'tier', 'group', 'quorum', 'decide within', 'use within'],
      confirmations(file),
    ),
    ...section('limits', ['of', 'uses', 'within'], limits(file)),
    ...section('budgets', ['name', 'of', 'max', 'within', 'per', 'capabilities'], budgets(file)),
    ...section('consoles', ['id', 'rp id', 'pages'], consoles(file)),
    ...section('resources', ['id', 'properties'], resources(file)),
    ...section('trusted evidence', ['sender', 'for'], evidence(file)),
    '',
    ...settings(file),
  ]
}

type Rows = readonly (readonly string[])[]

function section(title: string, head: readonly string[], rows: Rows): readonly Line[] {
  if (rows.length === 0) return []
  return ['', toned('dim', title), ...tableLines(head, rows)]
}

/** Its label, or the beginning of its id. */
function passkeyText({ id, label = `${id.slice(0, 12)}…` }: Passkey): string {
  return `passkey ${label}`
}

function consoles({ consoles: all = [] }: CatalogFile): Rows {
  return all.map(({ id, rpId, origins }) => [id, rpId, origins.join(', ')])
}

function principals(catalog: Catalog): Rows {
  const keyless = new Set(keylessIn(catalog))
  return [...catalog.principals.values()].map(
    ({ id, roles, owner, attributes, keys, passkeys = [], suspended, moving }) => [
      id,
      roles.join(', '),
      owner ?? '',
      Object.entries(attributes)
        .map(([key, value]) => `${key}=${value}`)
        .join(', '),
      [
        ...(keyless.has(id) ? ['no key left: its messages are ignored'] : keys.map(keyIdOf)),
        ...passkeys.map(passkeyText),
      ].join(', '),
      [...(suspended ? ['SUSPENDED'] : []), ...(moving === true ? ['MOVING'] : [])].join(', '),
    ],
  )
}

function capabilities({ capabilities: all }: CatalogFile): Rows {
  return all.map(({ id, safetyClass, sensitivity, concepts, confirmation, description }) => [
    id,
    safetyClass,
    sensitivity,
    concepts.join(', '),
    confirmation ?? 'the owner',
    description,
  ])
}

function groups({ groups: all }: CatalogFile): Rows {
  return all.map(({ id, members }) => [id, members.join(', ')])
}

function confirmations({ confirmations: all }: CatalogFile): Rows {
  return all.map(({ id, tier, group, quorum, decideWithinMs, useWithinMs }) => [
    id,
    tier,
    group ?? '',
    String(quorum),
    duration(decideWithinMs),
    duration(useWithinMs),
  ])
}

function limits({ limits: all }: CatalogFile): Rows {
  return all.map((limit) => [
    'capability' in limit ? limit.capability : `every ${limit.safetyClass}`,
    String(limit.uses),
    duration(limit.windowMs),
  ])
}

function budgets({ budgets: all = [] }: CatalogFile): Rows {
  return all.map(({ name, of, max, per, windowMs, capabilities: tools }) => [
    name,
    of ?? 'calls',
    String(max),
    duration(windowMs),
    per ?? 'all together',
    tools?.join(', ') ?? 'all',
  ])
}

function resources({ resources: all = [] }: CatalogFile): Rows {
  return all.map(({ id, properties }) => [id, JSON.stringify(properties)])
}

function evidence({ trustedEvidence }: CatalogFile): Rows {
  return trustedEvidence.map(({ sender, for: what }) => [sender, what.join(', ')])
}

function settings(file: CatalogFile): readonly Line[] {
  const { cells, knownConstraints, learning, now, callbacks, defaults = {} } = file
  return [
    ...(cells === undefined ? [] : [`spread over ${counted(cells, 'cell')}`]),
    `learning ${learning ? 'on' : 'off'}`,
    ...(knownConstraints.length === 0 ? [] : [`known constraints: ${knownConstraints.join(', ')}`]),
    ...Object.entries(defaults).map(([key, value]) => `set ${key}: ${JSON.stringify(value)}`),
    ...(now === undefined ? [] : [`the present of recorded work: ${now}`]),
    ...(callbacks === undefined ? [] : [`callbacks ${callbacks}`]),
  ]
}
