// What this process may use at most, as Linux has it: programs are limited to no more than that,
// since only root can raise it.
import { readFile } from 'node:fs/promises'

const titles = {
  core: 'Max core file size',
  cpu: 'Max cpu time',
  data: 'Max data size',
  fsize: 'Max file size',
  nofile: 'Max open files',
  nproc: 'Max processes',
} as const

/** By the name that `prlimit` has for it; null where it is unlimited. */
export type HardLimit = (name: keyof typeof titles) => number | null

/** Elsewhere than on Linux nothing is known of them. */
export async function hardLimits(): Promise<HardLimit> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  return (name) => {
    const line = new RegExp(`^${titles[name]} +\\S+ +(?<hard>\\d+) `, 'm').exec(text)
    return line === null ? null : Number(line.groups?.['hard'])
  }
}
