// How many times something is tried: `npm test` tries part of it, and `npm run test:all` all of it.

/** Whether everything is tried. */
export const isFull = (process.env['WARRANT_TEST_ALL'] ?? '') !== ''

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
