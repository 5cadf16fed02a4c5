// The files of the console's page, bundled once for all tests of a process.
import { pagesOf, type PageFiles } from '#console/pages'

let bundled: Promise<PageFiles> | null = null

export function pageFiles(): Promise<PageFiles> {
  bundled ??= pagesOf()
  return bundled
}
