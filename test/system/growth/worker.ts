// Prints, for each case, what an input and one that is four times as long cost.
import { beginCounting, stepsOf } from './counting.ts'

const length = 500
await beginCounting()
const { cases } = await import('./cases.ts')
for (const { title, of } of cases) {
  const [short, long] = [of(length), of(4 * length)]
  // What is made at the first call, such as tables, is no part of either.
  await stepsOf(short)
  const [less, more] = [await stepsOf(short), await stepsOf(long)]
  process.stdout.write(`${JSON.stringify({ title, less, more })}\n`)
}
