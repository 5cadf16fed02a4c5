// A path as it is shown: from here where it is below, else whole.
import { relative } from 'node:path'

export function shownPath(path: string): string {
  const near = relative(process.cwd(), path)
  return near === '' ? '.' : near.startsWith('..') ? path : near
}
