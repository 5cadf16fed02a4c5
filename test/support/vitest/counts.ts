// How many times something is tried: `npm test` tries part of it, `npm run test:all` all of it.

/** Whether this run tries everything. */
export const isFull = (process.env['WARRANT_TEST_ALL'] ?? '') !== ''

export function count(all: number, part: number): number {
  return isFull ? all : part
}
