// Whether a version is the one that all was tried on. What is no version counts as older than any.
import { failure, ok, type DoctorFinding } from './finding.ts'

interface Known {
  readonly major: number
  readonly minor: number
}

const nodeMin: Known = { major: 20, minor: 19 }

/** How `major.minor…` stands to the version that is known. */
export function versionStandingOf(version: string, known: Known): 'older' | 'same' | 'newer' {
  const [, major, minor] = /^v?([0-9]{1,9})\.([0-9]{1,9})\b/.exec(version) ?? []
  if (major === undefined || minor === undefined) return 'older'
  const ahead = Number(major) - known.major || Number(minor) - known.minor
  if (ahead < 0) return 'older'
  return ahead === 0 ? 'same' : 'newer'
}

/** Of this package, and of the Node that runs it. */
export function versionsFinding(own: string, node: string): DoctorFinding {
  const found = `warrant ${own}, Node ${node}`
  if (versionStandingOf(node, nodeMin) !== 'older') return ok('versions', found)
  const fix = `install Node ${nodeMin.major}.${nodeMin.minor} or later`
  return failure('versions', found, { fix })
}
