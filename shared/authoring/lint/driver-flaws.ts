// Arguments that a capability takes and its driver sends nowhere: each call that gives one fails,
// since what would run is not what was judged. And results that come as they are.
import type { Driver } from '#schemas/action/driver'
import type { Capability, JsonObject } from '#schemas/catalog'
import type { Catalog } from '#rules/catalog/catalog'
import { pointersIn } from '#rules/drivers/call-template'
import { listed, quoted } from '#record/quote'
import type { Flaw } from './flaw.ts'
import { pointerToken } from '#record/pointer-token'

export function driverFlaws({ capabilities }: Pick<Catalog, 'capabilities'>): readonly Flaw[] {
  const all = [...capabilities.values()]
  return [...all.flatMap(unredacted), ...all.flatMap(unsentBy)]
}

function unredacted({ id, redact = 'all' }: Capability): readonly Flaw[] {
  if (redact === 'all') return []
  const left = redact === 'none' ? 'nothing' : 'secrets'
  const are = redact === 'none' ? 'is' : 'alone are'
  return [
    {
      code: 'result_unredacted',
      where: { capability: id },
      what: `of the results of ${quoted(id)} ${left} ${are} taken out before an agent gets them`,
      fix: 'take `redact` out unless its agents have to read what it returns as it is',
    },
  ]
}

function unsentBy(capability: Capability): readonly Flaw[] {
  const unsent = unsentArguments(capability)
  if (unsent.length === 0) return []
  const names = listed(unsent, 'and')
  return [
    {
      code: 'argument_unsent',
      where: { capability: capability.id },
      what: `the driver of ${quoted(capability.id)} sends ${names} nowhere: a call with it fails`,
      fix:
        `write \`\${args:/${unsent[0] ?? ''}}\` where it belongs, or take it out of ` +
        '`argsSchema`',
    },
  ]
}

/** The names of the arguments that are written out in the schema, and that no template names. */
function unsentArguments({ driver, argsSchema }: Capability): readonly string[] {
  const sent = driver === undefined ? null : sentBy(driver)
  if (sent === null) return []
  return namesIn(argsSchema).filter((name) => {
    const pointer = `/${pointerToken(name)}`
    return !sent.some((each) => each === pointer || each.startsWith(`${pointer}/`))
  })
}

/** Pointers to what it sends; null where it sends all that it is given, or leaves out by intent. */
function sentBy(driver: Driver): readonly string[] | null {
  if (driver.kind === 'shell') {
    return pointersIn([...driver.command, ...Object.values(driver.env ?? {})])
  }
  if (driver.kind !== 'http' || driver.body !== undefined) return null
  if (driver.method !== 'GET' && driver.method !== 'HEAD' && driver.method !== 'DELETE') return null
  const templates = [driver.url, ...Object.values(driver.headers ?? {})]
  return [...pointersIn(templates), ...(driver.query ?? []).map((name) => `/${name}`)]
}

function namesIn({ properties, required }: JsonObject): readonly string[] {
  const names = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : []
  const described = typeof properties === 'object' ? Object.keys(properties ?? {}) : []
  return [...new Set([...described, ...names])]
}
