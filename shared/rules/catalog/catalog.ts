// The catalog as one immutable value: who there is, what can be done, who confirms, how often.
import type { ToolServer } from '#schemas/action/driver'
import type { Attention } from '#schemas/attention/attention'
import type { Budget } from '#schemas/budgets/budget'
import type {
  Capability,
  CatalogFile,
  Condition,
  Confirmation,
  Group,
  Limit,
  Principal,
  TrustedEvidence,
} from '#schemas/catalog'
import type { Console } from '#schemas/people/passkey'
import type { Matcher } from '#schemas/rules/matcher'
import type { Resource } from '#schemas/rules/resource'
import type { RotationRules } from '#schemas/rules/rotation'
import type { WorkRules } from '#schemas/work/settings'
import { BuiltInRules, builtInRules, type Defaults } from '#schemas/rules/built-in'
import { Fault } from '#record/fault'
import { token } from '#record/names'
import { firstHolder, principalIndex } from './people/principal-index.ts'

export interface Catalog {
  readonly principals: ReadonlyMap<string, Principal>
  /** Ids that ever had a key, even if they are gone: unsigned, nothing under them counts. */
  readonly keyed: ReadonlyMap<string, true>
  readonly groups: ReadonlyMap<string, Group>
  readonly capabilities: ReadonlyMap<string, Capability>
  readonly confirmations: ReadonlyMap<string, Confirmation>
  /** By what each is about: `class READ`, `capability mail.send`. */
  readonly limits: ReadonlyMap<string, Limit>
  readonly trustedEvidence: readonly TrustedEvidence[]
  readonly knownConstraints: readonly string[]
  readonly learning: boolean
  readonly now: string | null
  readonly callbacks: string | null
  /** The version of the rules; 1 where no change set has said any. */
  readonly rules: number
  /** How many cells the realm has; null where it has one log. */
  readonly cells: number | null
  /** Whether `warrant dev` began the log. */
  readonly dev: boolean
  /** Rules about calls of every capability. */
  readonly conditions: readonly Condition[]
  /** What is set of the built-in rules. */
  readonly defaults: Defaults
  /** In the order in which uses of them are taken. */
  readonly budgets: readonly Budget[]
  /** The servers of tools. */
  readonly servers: readonly ToolServer[]
  /** Where passkeys sign. */
  readonly consoles: readonly Console[]
  /** How many answers of people count one by one. */
  readonly attention: Attention
  /** Whose contracts count, where work lies, and what standing decides. */
  readonly work: WorkRules
  /** On which terms era keepers rotate eras; empty where they may not. */
  readonly rotation: RotationRules
  /** What can be searched for, by `<type>:<id>`. */
  readonly resources: ReadonlyMap<string, Resource>
  /**
   * By realm: the number under which it was last accepted that its log goes on from an older state.
   */
  readonly rollbacks: ReadonlyMap<string, number>
}

export type CatalogRefusalCode =
  | 'args_schema_invalid'
  | 'budget_repeated'
  | 'budget_spans_cells'
  | 'budget_unusable'
  | 'catalog_invalid'
  | 'cells_fixed'
  | 'condition_invalid'
  | 'condition_repeated'
  | 'confirm_with_group'
  | 'console_repeated'
  | 'console_unusable'
  | 'driver_unusable'
  | 'group_missing'
  | 'id_repeated'
  | 'key_shared'
  | 'identity_shared'
  | 'known_misplaced'
  | 'limit_repeated'
  | 'move_refused'
  | 'owner_cycle'
  | 'passkey_shared'
  | 'passkey_unusable'
  | 'quorum_out_of_reach'
  | 'server_repeated'
  | 'still_used'
  | 'unknown_capability'
  | 'unknown_confirmation'
  | 'unknown_entry'
  | 'unknown_group'
  | 'unknown_member'
  | 'unknown_owner'
  | 'unknown_sender'
  | 'unknown_server'
  | 'work_unusable'

/** `at` says where: `principals/alice/owner`. The message says what, and how to fix it. */
export interface CatalogRefusal {
  readonly code: CatalogRefusalCode
  readonly message: string
  readonly at: string
}

export type CatalogResult =
  | { readonly catalog: Catalog; readonly refused?: never }
  | { readonly refused: CatalogRefusal; readonly catalog?: never }

/**
 * Settings that stand in no file and in no line of an era where none was made. A new one is entered
 * here, and what reads, writes and compares catalogs has it.
 */
export function unsetSettings() {
  const first = { conditions: [], defaults: {}, budgets: [], servers: [], consoles: [] }
  return { ...first, attention: {}, work: {}, rotation: {} } satisfies Partial<CatalogFile>
}

const unset = unsetSettings()
export type SettingName = keyof typeof unset
/** Each with its value. */
export type UnsetSettings = { [Name in SettingName]: NonNullable<CatalogFile[Name]> }

export const settingNames: readonly SettingName[] = Object.keys(unset).filter(isSetting)

function isSetting(text: string): text is SettingName {
  return Object.hasOwn(unset, text)
}

/** That of a log in which nothing stands: its rules are the oldest. */
export const emptyCatalog: Catalog = {
  principals: new Map(),
  keyed: new Map(),
  groups: new Map(),
  capabilities: new Map(),
  confirmations: new Map(),
  limits: new Map(),
  trustedEvidence: [],
  knownConstraints: [],
  learning: false,
  now: null,
  callbacks: null,
  rules: 1,
  cells: null,
  dev: false,
  ...unsetSettings(),
  resources: new Map(),
  rollbacks: new Map(),
}

/** What confirming asks for; `id` is null for the default confirmation. */
export interface Confirming extends Omit<Confirmation, 'id'> {
  readonly id: string | null
}

/** The agent's owner, who has 15 minutes to decide; the approval is good for 5. */
const defaultConfirmation: Confirming = {
  id: null,
  tier: 'confirm',
  quorum: 1,
  decideWithinMs: 15 * 60 * 1000,
  useWithinMs: 5 * 60 * 1000,
}

/** The confirmation of that id, the default without one, and null where the id leads nowhere. */
export function confirmationOf(catalog: Catalog, id: string | undefined): Confirming | null {
  return id === undefined ? defaultConfirmation : (catalog.confirmations.get(id) ?? null)
}

/** Throws a Fault `unknown_principal` where there is none of that id. */
export function principalIn({ principals }: Pick<Catalog, 'principals'>, id: string): Principal {
  const found = principals.get(id)
  if (found !== undefined) return found
  throw new Fault('unknown_principal', `the catalog has no principal \`${id}\``)
}

/** The principal whose id has that token, as names of facts have it. */
export function principalNamed(
  { principals }: Pick<Catalog, 'principals'>,
  name: string,
): Principal | undefined {
  // An id that is a token stands for itself.
  if (!name.startsWith('_')) return token(name) === name ? principals.get(name) : undefined
  return principals.get(firstHolder(principalIndex(principals).tokens, name) ?? '')
}

/** The roles that each of them has; none where the catalog does not have one of them. */
export function rolesOfAll(
  { principals }: Pick<Catalog, 'principals'>,
  ids: readonly string[],
): readonly string[] {
  const [first = [], ...others] = ids.map((id) => principals.get(id)?.roles ?? [])
  return first.filter((role) => others.every((roles) => roles.includes(role)))
}

interface Listed {
  readonly id: string
  readonly roles: readonly string[]
  readonly attributes: { readonly [name: string]: string }
}

/** Whether one of the entries is about that principal. */
export function isListed(list: readonly Matcher[], principal: Listed | null | undefined): boolean {
  if (principal === null || principal === undefined) return false
  for (const one of list) if (isMatched(one, principal)) return true
  return false
}

/** Each evaluation asks it several times: nothing is made for it. */
export function isMatched({ principal: id, role, attributes }: Matcher, of: Listed): boolean {
  if (id !== undefined && id !== of.id) return false
  if (role !== undefined && !of.roles.includes(role)) return false
  if (attributes === undefined) return true
  return Object.entries(attributes).every(([name, value]) => {
    return Object.hasOwn(of.attributes, name) && of.attributes[name] === value
  })
}

// A catalog is asked for every intent, and what it sets is never changed.
const filled = new WeakMap<Defaults, BuiltInRules>()

/** The built-in rules with what the catalog sets of them. */
export function rulesBuiltIn({ defaults }: Pick<Catalog, 'defaults'>): BuiltInRules {
  const before = filled.get(defaults)
  if (before !== undefined) return before
  const rules = BuiltInRules.parse({
    ...builtInRules,
    ...defaults,
    rolesFor: { ...builtInRules.rolesFor, ...defaults.rolesFor },
    limits: { ...builtInRules.limits, ...defaults.limits },
  })
  filled.set(defaults, rules)
  return rules
}

/**
 * How often the principal may use the capability; null means without end. What the catalog says of
 * the capability wins over what it says of the class, and that over the defaults. A service role
 * multiplies whichever it is.
 */
export function limitOf(
  catalog: Catalog,
  capability: Pick<Capability, 'id' | 'safetyClass'>,
  principal: { readonly roles: readonly string[] } | null | undefined,
): { readonly uses: number; readonly windowMs: number } | null {
  const { limits, serviceFactor, serviceRoles } = rulesBuiltIn(catalog)
  const { uses, windowMs } =
    catalog.limits.get(`capability ${capability.id}`) ??
    catalog.limits.get(`class ${capability.safetyClass}`) ??
    limits[capability.safetyClass]
  if (uses === 'unlimited') return null
  const isService = principal?.roles.some((role) => serviceRoles.includes(role)) === true
  return { uses: isService ? uses * serviceFactor : uses, windowMs }
}
