// Lets eras be rotated without a person: makes the key of an era keeper, which can do nothing else,
// and signs into the catalog who that is and on which terms it may.
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { change } from '#authoring/change'
import { counted, duration } from '#present/wording'
import { Fault } from '#record/fault'
import type { Catalog } from '#rules/catalog/catalog'
import { eraKeeperRole } from '#rules/catalog/duties'
import { keeperKeyFile, newKey, readKey, type KeyFile } from '#runtime/keys/key-files'
import { findPolicyAdmin } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import { Principal, type CatalogOperation } from '#schemas/catalog'
import { exitCodes } from '#schemas/faults/exit'
import { RotationRules } from '#schemas/rules/rotation'
import { allowsKeepers, leastMsDefault } from '#state/eras/due'
import { configuration } from '#wiring/config'
import { usage } from '#cli/terminal/failure'
import { hintsFor } from '#cli/terminal/hint'
import { toned } from '#cli/terminal/line'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { print, printJson } from '#cli/terminal/terminal'

interface AutoRotateOptions extends GlobalOptions, SignerOptions {
  readonly facts?: number
  readonly days?: number
  readonly leastHours?: number
  readonly keeperKey?: string
  readonly off?: boolean
}

const hourMs = 3_600_000

export function autoRotate(options: AutoRotateOptions): Promise<number> {
  // What all cells share is in the log that the realm names.
  return withRuntime(options, {}, async (runtime) => {
    if (options.off === true) await forbid(runtime, options)
    else await allow(runtime, options)
    return exitCodes.yes
  })
}

async function allow(runtime: Runtime, options: AutoRotateOptions): Promise<void> {
  const author = await findPolicyAdmin(signerChoice(runtime, options))
  const rotation = rulesIn(options, runtime.follower.state.catalog)
  const terms = termsOf(rotation)
  const least = duration(rotation.leastMs ?? leastMsDefault)
  const lines = [
    `let the era keeper \`${eraKeeperRole}\` rotate each era ${terms},`,
    `  none before ${least}, by a key of its own that can do nothing else`,
  ]
  await demandAgreement(options, { lines, as: author.id })
  const key = await keeperKey(runtime, options)
  const entry = Principal.parse({
    id: eraKeeperRole,
    roles: [eraKeeperRole],
    keys: [key.publicKey],
  })
  const operations: CatalogOperation[] = [
    { op: 'put', collection: 'principals', entry },
    { op: 'set', key: 'rotation', value: rotation },
  ]
  const { revision } = await change(runtime, { kind: 'catalog', operations }, author)
  const { file } = key
  if (options.json === true) return printJson({ rotation, keeper: entry.id, key: file, revision })
  const hints = hintsFor(options, configuration())
  await print([
    toned('good', `eras are rotated by \`${entry.id}\` ${terms}`),
    `  ${author.id} signed that, at catalog revision ${revision}`,
    `  its key is \`${file}\`: what runs stages on a log in a file takes it from there;`,
    `  on servers ${hints('up eras')} does, with an operator's credential`,
    `  each sealed era is archived, and nothing is taken away; ${hints('log --eras')} shows them`,
  ])
}

const rulesDefault = { facts: 1_000_000, ageMs: 30 * 24 * hourMs, leastMs: leastMsDefault }

/** What is not given stays as it was signed. Throws a usage fault for terms no catalog takes. */
function rulesIn({ facts, days, leastHours }: AutoRotateOptions, catalog: Catalog): RotationRules {
  const { error, data } = RotationRules.safeParse({
    ...(allowsKeepers(catalog) ? catalog.rotation : rulesDefault),
    ...(facts !== undefined && { facts }),
    ...(days !== undefined && { ageMs: days * 24 * hourMs }),
    ...(leastHours !== undefined && { leastMs: leastHours * hourMs }),
  })
  if (error === undefined) return data
  const bounds = '--facts takes 1000 to 1000000000, --days 1 to 3650, --least-hours 1 to 8760'
  throw usage(bounds)
}

function termsOf({ facts, ageMs }: RotationRules): string {
  const size = facts === undefined ? [] : [`has ${counted(facts, 'fact')}`]
  const age = ageMs === undefined ? [] : [`is ${duration(ageMs)} old`]
  return `once it ${[...size, ...age].join(' or ')}`
}

async function forbid(runtime: Runtime, options: AutoRotateOptions): Promise<void> {
  if (!allowsKeepers(runtime.follower.state.catalog)) {
    await print(['eras are rotated by policy admins alone: there is nothing to take back'])
    return
  }
  const author = await findPolicyAdmin(signerChoice(runtime, options))
  const lines = ['let no era keeper rotate eras any more: policy admins alone do']
  await demandAgreement(options, { lines, as: author.id })
  const operations: CatalogOperation[] = [{ op: 'set', key: 'rotation', value: {} }]
  const { revision } = await change(runtime, { kind: 'catalog', operations }, author)
  if (options.json === true) return printJson({ rotation: {}, revision })
  await print([
    toned('good', 'eras are rotated by policy admins alone'),
    `  ${author.id} signed that, at catalog revision ${revision}`,
  ])
}

/** That which is there, or a new one. */
async function keeperKey(
  { folder }: Runtime,
  { keeperKey: given }: AutoRotateOptions,
): Promise<KeyFile> {
  const place = given === undefined ? keeperKeyFile(folder) : resolve(given)
  if (place === null) throw new Fault('no_folder', 'a log in memory has no era keeper')
  if (existsSync(place)) return readKey(place)
  if (!place.endsWith('.pem')) throw usage('--keeper-key names a file that ends in `.pem`')
  return newKey(dirname(place), basename(place, '.pem'), null)
}
