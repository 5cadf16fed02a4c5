// Lists grants with what is left of each, in every log that counts uses of them, and shows one.
import { configuration } from '#wiring/config'
import { listedGrant, type ListedGrant } from '#rules/grants/listed'
import { Fault } from '#record/fault'
import { grantLines } from '#present/story/grant'
import { grantPreviewLines } from '#present/action/grant-preview'
import { previewGrant } from '#runtime/grants/preview'
import type { Runtime } from '#runtime/engine/runtime'
import { exitCodes } from '#schemas/faults/exit'
import { overCells } from '#cli/terminal/opening/cells/logs'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { hintsFor } from '#cli/terminal/hint'
import { print, printJson } from '#cli/terminal/terminal'
import { grantJson, grantTable, stateText, type GrantRow } from './print.ts'

export interface GrantsOptions extends GlobalOptions {
  readonly all?: boolean
  readonly as?: string
}

export async function grants(options: GrantsOptions): Promise<number> {
  const all = await rowsOf(options)
  const rows = all.filter(({ listed: { state, grant } }) => {
    if (options.as !== undefined && grant.data.confirmer !== options.as) return false
    return options.all === true || state === 'open' || state === 'idle'
  })
  if (options.json === true) {
    for (const row of rows) await printJson(grantJson(row))
    return exitCodes.yes
  }
  if (rows.length === 0) {
    await print([options.all === true ? 'there are no grants' : 'no grant is open'])
    return exitCodes.yes
  }
  const hints = hintsFor(options, configuration())
  await print([...grantTable(rows), '', hints('grants show GRANT')])
  return exitCodes.yes
}

export async function showGrantMeant(meant: string, options: GrantsOptions): Promise<number> {
  const { listed, cells } = grantMeant(await rowsOf(options), meant)
  const { grant } = listed
  const { signature: _, ...content } = grant.data
  const previews = await overCells(options, { reads: true }, (runtime) =>
    previewGrant(runtime, content),
  )
  if (options.json === true) {
    await printJson({ ...grantJson({ listed, cells }), would: previews })
    return exitCodes.yes
  }
  await print([
    ...grantLines(grant.id, content),
    `  state       ${stateText({ listed, cells })}`,
    ...previews.flatMap((preview) => grantPreviewLines(preview)),
  ])
  return exitCodes.yes
}

/** The one that is meant by its id or an end of that. */
export function grantMeant(rows: readonly GrantRow[], meant: string): GrantRow {
  const exact = rows.filter(({ listed }) => listed.grant.id === meant)
  const found =
    exact.length > 0 ? exact : rows.filter(({ listed }) => listed.grant.id.endsWith(meant))
  const [only] = found
  if (only !== undefined && found.length === 1 && meant !== '') return only
  const why = found.length === 0 ? 'the log has no grant' : `${found.length} grants end so:`
  throw new Fault('no_grant', `${why} \`${meant}\`: list them with \`warrant grants --all\``)
}

/** Each grant once, with what each cell that counts uses of it has left. */
export async function rowsOf(options: GlobalOptions): Promise<readonly GrantRow[]> {
  const logs = await overCells(options, { reads: true }, async (runtime, { cell }) => ({
    cell,
    listed: await Promise.resolve(listedIn(runtime)),
  }))
  const [first] = logs
  return (first?.listed ?? []).map((one) => {
    const { id, data } = one.grant
    const cells = logs.flatMap(({ cell, listed }) => {
      const isCounted = data.perCell === true || data.cell === undefined || data.cell === cell
      const found = isCounted ? listed.find(({ grant }) => grant.id === id) : undefined
      return found === undefined ? [] : [{ cell, listed: found }]
    })
    const open = cells.find(({ listed }) => listed.state === 'open')
    return { listed: open?.listed ?? cells[0]?.listed ?? one, cells }
  })
}

function listedIn({ follower, clock }: Runtime): readonly ListedGrant[] {
  const { grants: all, grantUses, catalog } = follower.state
  return [...all.byId.values()].map((grant) => {
    return listedGrant(catalog, { grant, uses: grantUses.get(grant.id) }, clock.now())
  })
}
