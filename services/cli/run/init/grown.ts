// A log that is there gets what a door needs of it: entries in the folder that its people edit, and
// the shipped rules. All of it is shown first, and signed by a policy admin of the log.
import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import { plannedSeed } from '#authoring/plan/seed-plan'
import { seedFolder } from '#authoring/seed'
import { readSeed, seedFileNames } from '#authoring/seed-files'
import { quoted } from '#record/quote'
import type { Runtime } from '#runtime/engine/runtime'
import type { Signer } from '#runtime/keys/keys'
import { withRuntime } from '#cli/terminal/opening/opened'
import { writeTexts } from '#cli/terminal/opening/file'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { toned, type Line } from '#cli/terminal/line'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { catalogIn, writeCatalogFile, writtenIn } from '#cli/rules/catalog/catalog-in'
import { shownPlan } from '#cli/rules/plan/plan'
import { planLines } from '#cli/rules/plan/print'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { bindHookRules, lackingRules } from './hook-rules.ts'
import { agentEntry, toolEntry, type Starter } from './starter.ts'

export interface GrowthNeeded {
  /** The folder that people edit. */
  readonly seed: string
  readonly starter: Starter
  readonly isHooked: boolean
}

/** Whether anything was signed: nothing is where all of it is there. */
export function grownLog(
  options: GlobalOptions & SignerOptions,
  needed: GrowthNeeded,
): Promise<boolean> {
  const { seed, isHooked } = needed
  return withRuntime(options, {}, async (runtime) => {
    const author = await findPolicyAdmin(signerChoice(runtime, options))
    const file = join(seed, seedFileNames.catalog)
    const before = await readFile(file, 'utf8').catch(() => '')
    await addEntries(needed, author.id)
    try {
      const rules = isHooked ? await lackingRules(runtime) : []
      const lines = [...rulesLines(rules), ...(await folderLines(runtime, seed, author))]
      if (lines.length === 0) return false
      await demandAgreement(options, { lines, as: author.id })
      if (isHooked) await bindHookRules(runtime, author)
      await seedFolder(runtime, seed, { author })
      return true
    } catch (error) {
      // What is not signed is not left as if it counted.
      await writeTexts(file, [before])
      throw error
    }
  })
}

/** What is there of that name stays as it is. */
async function addEntries({ seed, starter }: GrowthNeeded, owner: string): Promise<void> {
  const { agent, words } = starter
  const { path, written, file } = await catalogIn(seed)
  const has = (list: readonly { readonly id: string }[], id: string): boolean =>
    list.some((one) => one.id === id)
  const principals = has(file.principals, agent.id) ? [] : [agentEntry(agent, owner)]
  const isToolThere = words === null || has(file.capabilities, words.tool)
  const capabilities = isToolThere ? [] : [toolEntry(words)]
  if (principals.length + capabilities.length === 0) return
  await writeCatalogFile(path, {
    ...written,
    principals: [...writtenIn(written, 'principals'), ...principals],
    capabilities: [...writtenIn(written, 'capabilities'), ...capabilities],
  })
}

type Rules = Awaited<ReturnType<typeof lackingRules>>

function rulesLines(rules: Rules): readonly Line[] {
  const tools = rules.flatMap(({ catalog }) => catalog.capabilities.map(({ id }) => quoted(id)))
  const settings = rules.flatMap((one) => [...one.settings]).filter((name) => name === 'defaults')
  return [
    ...(tools.length === 0 ? [] : [`the shipped rules of coding agents: ${tools.join(', ')}`]),
    ...settings.map((name) =>
      toned('warn', `  with \`${name}\` for all tools: what only writes needs no reason given`),
    ),
  ]
}

async function folderLines(
  runtime: Runtime,
  seed: string,
  author: Signer,
): Promise<readonly Line[]> {
  const files = await readSeed(seed)
  const planned = plannedSeed(runtime.follower.state, files, { author, prune: false })
  if (planned.sets.length === 0) return []
  return planLines(await shownPlan(runtime, files, planned, { what: seed, last: 0 }))
}
