// The core of the fold knows no feature by name: it has them from the list of slices, and nowhere
// else.
import { targetOf } from './packages.ts'
import { at, sourcesOf, type Files } from './source.ts'

const core = 'shared/state/'
const slices = 'shared/state/slices/'
const list = `${slices}list.ts`

/** What is of several slices, and why. */
const excepted: ReadonlyMap<string, string> = new Map([
  ['shared/state/arrivals.ts', 'what an agent brings along is one entry of the catalog'],
  ['shared/state/fold/intents.ts', 'a handover is about an open intent'],
])

/** Every value that the core takes from a slice; types compose the state. */
export function coreKnowsNoSlice(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    const { path, imports } = source
    if (!path.startsWith(core) || path.startsWith(slices) || excepted.has(path)) return []
    return imports.flatMap(({ from, isType, start }) => {
      const target = targetOf(from, path)
      if (isType || target === null || !target.startsWith(slices) || target === list) return []
      return [at(source, start, `imports \`${target}\`: let the slice say it in ${list}`)]
    })
  })
}
