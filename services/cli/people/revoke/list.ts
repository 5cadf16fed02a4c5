// Lists what was taken back: the latest revocation of each target, oldest first. One that counts
// for nothing is not here.
import { readData } from '#record/event'
import type { Runtime } from '#runtime/engine/runtime'
import type { RevocationTarget } from '#schemas/action/revocation'
import { targetPhrase } from '#present/story/phrase'
import { utc } from '#present/wording'
import { exitCodes } from '#schemas/faults/exit'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { tableLines } from '#cli/terminal/table'
import { print, printJson } from '#cli/terminal/terminal'

export async function listRevocations(options: GlobalOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async (runtime) => {
    const listed = await revocationsIn(runtime)
    if (options.json === true) for (const each of listed) await printJson(each)
    else if (listed.length === 0) await print(['nothing was taken back'])
    else {
      const rows = listed.map(({ appendedAt, target, by, note }) => {
        return [utc(Date.parse(appendedAt)), targetPhrase(target), by, note ?? '']
      })
      await print(tableLines(['at', 'taken back', 'by', 'why'], rows))
    }
    return exitCodes.yes
  })
}

interface Listed {
  readonly name: string
  readonly position: number
  readonly appendedAt: string
  readonly target: RevocationTarget
  readonly by: string
  readonly note: string | null
}

async function revocationsIn({ follower, log }: Runtime): Promise<readonly Listed[]> {
  const listed: Listed[] = []
  for (const { name } of follower.state.revocations.values()) {
    const fact = await log.get(name)
    const data = readData('revocation', fact)
    // That of an era that is archived is known, and no longer here.
    if (fact === undefined || data === null) continue
    const { target, by, note = null } = data
    const appendedAt = new Date(fact.appendedAt).toISOString()
    listed.push({ name, position: fact.position, appendedAt, target, by, note })
  }
  return listed.toSorted((one, other) => one.position - other.position)
}
