// The entries and settings of a catalog in lines: what each one says, and which built-in rules
// hold.
import { canonical, isList, jsonOf, type Json } from '#record/canonical'
import type { CatalogFile, Condition, Limit } from '#schemas/catalog'
import { builtInRules } from '#schemas/rules/built-in'
import { counted, duration } from '../../wording.ts'
import { authorLabels } from './author-labels.ts'

type Setting<Key extends keyof CatalogFile> = NonNullable<CatalogFile[Key]>

/** One entry of a list. */
export interface SettingLine {
  readonly name: string
  readonly text: string
  /** Of a condition, its expression. */
  readonly code?: string
}

const linesIn = {
  capabilities: ({ capabilities }) => capabilities.map(plainLine),
  principals: ({ principals }) => principals.map(plainLine),
  groups: ({ groups }) => groups.map(plainLine),
  confirmations: ({ confirmations }) => confirmations.map(plainLine),
  resources: ({ resources = [] }) => resources.map(plainLine),
  conditions: ({ conditions = [] }) => conditions.map((one) => conditionLine(one, null)),
  limits: ({ limits }) => limits.map(limitLine),
  budgets: ({ budgets = [] }) => budgets.map(budgetLine),
  servers: ({ servers = [] }) => servers.map(serverLine),
  consoles: ({ consoles = [] }) => consoles.map(consoleLine),
  trustedEvidence: ({ trustedEvidence }) => trustedEvidence.map(evidenceLine),
} as const satisfies Readonly<Record<string, (catalog: CatalogFile) => readonly SettingLine[]>>

/** A line for each entry of that list, in its order. */
export function entryLines(
  catalog: CatalogFile,
  list: keyof typeof linesIn,
): readonly SettingLine[] {
  return linesIn[list](catalog)
}

/** Its members on one line, without the id and what is empty. */
function plainLine(entry: { readonly id: string }): SettingLine {
  const shown = Object.entries(entry).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'id' || value === '' || value === false || value === 'NONE') return []
    if (Array.isArray(value)) {
      const isPlain = value.length > 0 && value.every((one) => typeof one === 'string')
      return isPlain && key !== 'keys' ? [value.join(', ')] : []
    }
    if (typeof value === 'number' || value === true) return [String(value)]
    if (typeof value !== 'string') return []
    return [key === 'owner' ? `→ ${value}` : value]
  })
  return { name: entry.id, text: shown.slice(0, 4).join(' · ') }
}

const { effects, all } = authorLabels.condition

/** `of`: the capability whose rule it is; null for one of every capability. */
export function conditionLine(condition: Condition, of: string | null): SettingLine {
  const { name, effect, when: code, message } = condition
  const said = message === undefined ? '' : ` · ${message}`
  return { name, text: `${effects[effect]} · ${of ?? all}${said}`, code }
}

/** Such as `20 uses in 1 h`. */
function limitLine(limit: Limit): SettingLine {
  const { uses, windowMs } = limit
  const often = uses === 'unlimited' ? 'as often as wanted' : counted(uses, 'use')
  const name = 'capability' in limit ? limit.capability : authorLabels.classes[limit.safetyClass]
  return { name, text: `${often} in ${duration(windowMs)}` }
}

/** Such as `500 of args.cents in 1 d, for each owner`. */
function budgetLine(budget: Setting<'budgets'>[number]): SettingLine {
  const { name, of, max, windowMs, per, capabilities, when } = budget
  const much = of === undefined ? `${max} calls` : `${max} of ${of}`
  const whom = per === undefined ? 'for all together' : `for each ${per}`
  const which = capabilities === undefined ? '' : `, by ${capabilities.join(', ')}`
  const where = when === undefined ? '' : `, where ${when}`
  return { name, text: `${much} in ${duration(windowMs)}, ${whom}${which}${where}` }
}

function serverLine(server: Setting<'servers'>[number]): SettingLine {
  return { name: server.id, text: 'url' in server ? server.url : server.command.join(' ') }
}

function consoleLine({ id, rpId, origins }: Setting<'consoles'>[number]): SettingLine {
  return { name: id, text: `${origins.join(', ')}, for ${rpId}` }
}

function evidenceLine(trusted: Setting<'trustedEvidence'>[number]): SettingLine {
  return { name: trusted.sender, text: trusted.for.join(', ') }
}

export function attentionEntries({ answers = [] }: Setting<'attention'>) {
  return answers.map((one): SettingLine => {
    return { name: whoIn(one), text: `${counted(one.perDay, 'answer')} a day, one by one` }
  })
}

export function workEntries(work: Setting<'work'>): readonly SettingLine[] {
  const { issuers = [], workspaces = [], alpha, start, probation, reinstateAfterMs } = work
  const { isolation, online, agents, levels = {} } = work
  const numbers = Object.entries({ alpha, start, probation })
  const known = numbers.filter(([, value]) => value !== undefined)
  return [
    { name: 'issuers', text: issuers.length === 0 ? 'none' : issuers.join(', ') },
    ...workspaces.map((one): SettingLine => {
      return { name: one.id, text: 'folder' in one ? one.folder : `commits in ${one.repository}` }
    }),
    ...known.map(([name, value]): SettingLine => ({ name, text: String(value) })),
    ...(reinstateAfterMs === undefined
      ? []
      : [{ name: 'reinstateAfterMs', text: duration(reinstateAfterMs) }]),
    ...(isolation === undefined ? [] : [{ name: 'isolation', text: isolation }]),
    ...(online === undefined ? [] : [{ name: 'online', text: 'links of texts are asked' }]),
    ...(agents === undefined ? [] : [{ name: 'agents', text: canonical(jsonOf(agents)) }]),
    ...Object.entries(levels).flatMap(([name, rule]): SettingLine[] => {
      return rule === undefined ? [] : [{ name, text: levelRuleText(rule) }]
    }),
  ]
}

type LevelRule = NonNullable<NonNullable<Setting<'work'>['levels']>['strict']>

function levelRuleText({ confirm = [], refuse = [], confirmation, quorum }: LevelRule): string {
  const calls = (of: typeof confirm): string =>
    of.map((call) => ('capability' in call ? call.capability : call.safetyClass)).join(', ')
  const parts = [
    ...(confirm.length === 0 ? [] : [`asks about ${calls(confirm)}`]),
    ...(confirmation === undefined ? [] : [`by ${confirmation}`]),
    ...(quorum === undefined ? [] : [`${quorum} must agree`]),
    ...(refuse.length === 0 ? [] : [`refuses ${calls(refuse)}`]),
  ]
  return parts.length === 0 ? 'neither asks nor refuses' : parts.join(', ')
}

function whoIn(one: { readonly person: string } | { readonly group: string }): string {
  return 'person' in one ? one.person : `everyone in ${one.group}`
}

export interface RuleLine {
  /** Such as `rolesFor.WRITE`. */
  readonly rule: string
  readonly text: string
  /** Whether this catalog sets it, and it is not as it is built in. */
  readonly isSet: boolean
}

/** Each built-in rule as it holds with that. */
export function ruleLines(defaults: Setting<'defaults'>): readonly RuleLine[] {
  const set = new Map(Object.entries(defaults).map(([key, value]) => [key, jsonOf(value)]))
  return Object.entries(builtInRules).flatMap(([rule, usual]) => {
    const [given, built] = [set.get(rule), jsonOf(usual)]
    if (!isMap(built)) return [{ rule, text: ruleText(given ?? built), isSet: given !== undefined }]
    const of = new Map(given !== undefined && isMap(given) ? Object.entries(given) : [])
    return Object.entries(built).map(([part, value = null]): RuleLine => {
      const one = of.get(part)
      return { rule: `${rule}.${part}`, text: ruleText(one ?? value), isSet: one !== undefined }
    })
  })
}

function isMap(value: Json): value is Extract<Json, { readonly [key: string]: unknown }> {
  return typeof value === 'object' && value !== null && !isList(value)
}

function ruleText(value: Json): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (isList(value)) return value.length === 0 ? 'none' : value.map(String).join(', ')
  const { uses, windowMs } = value
  const isLimit = typeof windowMs === 'number' && (typeof uses === 'number' || uses === 'unlimited')
  return isLimit ? `${uses} in ${duration(windowMs)}` : canonical(value)
}
