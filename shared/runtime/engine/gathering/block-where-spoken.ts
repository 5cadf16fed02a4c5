// Whether an agent spoke in a session that a trusted sender has blocked: then it is stopped in
// every session.
import { patternsOf } from '#record/names'
import type { Context, View } from '#stages/view'
import { countsIn } from '#state/eras'
import type { LogReader } from '#ports/log'

/**
 * The first of these blocks, each of a session in which the agent of that token spoke before it.
 */
export async function blockWhereSpoken(
  log: Pick<LogReader, 'read'>,
  { place, eras, basis }: Pick<View, 'place' | 'eras' | 'basis'>,
  blocks: { readonly agent: string; readonly in: View['elsewhere'] },
): Promise<Context['block']> {
  for (const [session, block] of blocks.in) {
    const range = { to: Math.min(block.position, basis) }
    const names = patternsOf(place, 'vlp', blocks.agent, session, '*')
    for await (const fact of log.read(range, names)) if (countsIn(eras, fact)) return block
  }
  return null
}
