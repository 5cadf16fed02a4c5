// How many times something is tried: `npm test` tries part of it, `npm run test:all` all of it, and
// `WARRANT_TEST_ALL=unit npm test` all of what starts no process.

const all = process.env['WARRANT_TEST_ALL'] ?? ''

/** Whether everything is tried, of all that this process runs. */
export const isFull = all !== ''

/** Whether everything of that project is tried in this run. */
export function isFullOf(project: string): boolean {
  return isFull && (all !== 'unit' || project === 'unit')
}

export function count(all: number, part: number): number {
  return isFull ? all : part
}

/** From which cases are drawn: `WARRANT_TEST_SEED`, and none where that is `random`. */
export const seedMeant: number | undefined = readSeed(process.env['WARRANT_TEST_SEED'] ?? '28')

function readSeed(text: string): number | undefined {
  if (text === 'random') return undefined
  const seed = Number(text)
  if (!Number.isInteger(seed)) throw new Error(`WARRANT_TEST_SEED is no whole number: ${text}`)
  return seed
}
