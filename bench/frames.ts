// What a tool answers with in benches, and how fast frames of it are made.
import { frame, type FrameMode } from '#core/firewall/frame'

/** Rows of six fields, of which one is sensitive by its name. */
export const sampleRows = Array.from({ length: 50 }, (_, index) => ({
  id: index,
  booking: `ZX${index}QL`,
  status: index % 3 === 0 ? 'open' : 'done',
  paid: index % 2 === 0,
  cents: index * 125,
  email: `a${index}@example.com`,
}))

/** A handle alone looks at nothing. */
export const modesMade: readonly FrameMode[] = ['summary', 'table', 'raw']
const rounds = 500

/** Of the sample rows, for a reader who may have them raw. */
export function framesPerSecond(mode: FrameMode): number {
  const start = performance.now()
  for (let round = 0; round < rounds; round += 1) frame(sampleRows, { mode, roles: ['admin'] })
  return (rounds * 1_000) / (performance.now() - start)
}
