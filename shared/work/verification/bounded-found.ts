// Keeps what was found small enough for one fact: what is too much loses details, and is marked.
import type { WorkFound } from '#schemas/work/facts'
import { canonicalBytes, jsonOf } from '#record/canonical'

const bytesMax = 196_608
const findingsLeftMax = 5

export function boundedFound(found: WorkFound): WorkFound {
  if (canonicalBytes(jsonOf(found)).length <= bytesMax) return found
  const gates = found.gates.map(({ evidence, findings, warnings, ...gate }) => ({
    ...gate,
    findings: findings.slice(0, findingsLeftMax),
    warnings: warnings.slice(0, findingsLeftMax),
    evidence: {
      leftOut: true,
      found: findings.length,
      warned: warnings.length,
      ...(evidence['exit'] !== undefined && { exit: evidence['exit'] }),
    },
  }))
  const work = found.work && {
    ...found.work,
    leftOut: found.work.leftOut.slice(0, findingsLeftMax),
  }
  return { ...found, work, gates }
}
