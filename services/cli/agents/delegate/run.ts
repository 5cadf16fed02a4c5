// Publishes a delegation, or takes one back, in the name of who delegates.
import type { Catalog } from '#rules/catalog/catalog'
import { isMessage, partsInRealm } from '#record/names'
import { quoted } from '#record/quote'
import { checkBytes } from '#messages/check'
import { delegationIn } from '#messages/delegation'
import { actingText, utc } from '#present/wording'
import { exitCodes } from '#schemas/faults/exit'
import { connect } from '#client/connect'
import { signingKeyOf } from '../ask/run.ts'
import { cellOfAgent } from '#cli/terminal/opening/cells/intent-cell'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { note, print, printJson } from '#cli/terminal/terminal'

interface DelegateOptions extends GlobalOptions {
  readonly as: string
  readonly session: string
  readonly tool: readonly string[]
  /** For how long, in milliseconds. */
  readonly for: number
  readonly maxRows?: number
  readonly fields?: string
  readonly when?: string
  readonly parent?: string
  readonly key?: string
}

export async function delegateCommand(child: string, options: DelegateOptions): Promise<number> {
  const { as, session, tool: capabilities, when, parent } = options
  const stages = await clientStages(options)
  return withRuntime(await cellOfAgent(options, () => child), { stages }, async (runtime) => {
    const { catalog } = runtime.follower.state
    refuseUnknown(catalog, { principals: [as, child], capabilities })
    const privateKey = await signingKeyOf(runtime, as, options.key)
    const client = await connect({ as, runtime, ...(privateKey !== null && { privateKey }) })
    const until = runtime.clock.now() + options.for
    const { name } = await client.delegate({
      session: client.session(session),
      to: child,
      capabilities,
      until,
      ...boundsOf(options),
      ...(when !== undefined && { when }),
      ...(parent !== undefined && { parent }),
    })
    if (options.json === true) {
      await printJson({ name, from: as, to: child, capabilities, until: new Date(until) })
      return exitCodes.yes
    }
    await print([
      `${actingText([as, child])}, for ${capabilities.join(', ')}`,
      `  until   ${utc(until)}`,
      `  cite    --delegation ${name}`,
    ])
    return exitCodes.yes
  })
}

function boundsOf({ maxRows, fields }: DelegateOptions) {
  if (maxRows === undefined && fields === undefined) return {}
  const constraints = {
    ...(maxRows !== undefined && { max_rows: maxRows }),
    ...(fields !== undefined && { allowed_fields: fields.split(',') }),
  }
  return { constraints }
}

// It would be refused where it is cited: who misspells it learns it now.
function refuseUnknown(
  catalog: Catalog,
  of: { readonly principals: readonly string[]; readonly capabilities: readonly string[] },
): void {
  const principal = of.principals.find((id) => !catalog.principals.has(id))
  if (principal !== undefined) throw usage(`the catalog has no principal ${quoted(principal)}`)
  const capability = of.capabilities.find((id) => !catalog.capabilities.has(id))
  if (capability !== undefined) throw usage(`the catalog has no tool ${quoted(capability)}`)
}

interface UndelegateOptions extends GlobalOptions {
  readonly why?: string
  readonly key?: string
}

export async function undelegateCommand(name: string, options: UndelegateOptions): Promise<number> {
  const stages = await clientStages(options)
  const [realm = ''] = name.split('.')
  if (!isMessage(partsInRealm(name, realm))) {
    throw usage('give the whole name that `warrant delegate` printed')
  }
  return withRuntime({ ...options, realm }, { stages }, async (runtime) => {
    const fact = await runtime.log.get(name)
    const check = fact && checkBytes(fact.bytes, runtime.follower.state.catalog)
    const said = check === undefined ? null : delegationIn(check)
    const session = check?.message?.session_id ?? null
    if (said === null || session === null) {
      throw usage(`no delegation stands under \`${name}\``)
    }
    const { from, to } = said
    const privateKey = await signingKeyOf(runtime, from, options.key)
    const client = await connect({ as: from, runtime, ...(privateKey !== null && { privateKey }) })
    const of = { session: client.session(session), ...(options.why && { note: options.why }) }
    const { name: correction } = await client.undelegate(name, of)
    if (options.json === true) await printJson({ name: correction, undelegated: name })
    else await print([`${quoted(to)} no longer acts for ${quoted(from)} by ${name}`])
    note('what was allowed already is not stopped by it: `warrant revoke` takes that back')
    return exitCodes.yes
  })
}
