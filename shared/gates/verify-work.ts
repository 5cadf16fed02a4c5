// Verifies work under its contract: copies it, and puts the copy through the gates in their order.
// What a worker wrote is never run but by the gates that the contract asks for.
import { join } from 'node:path'
import { withFolder } from './run/gate-programs.ts'
import { filesGate } from '#work/verification/files-gate'
import { gateNames, gateResult, type GateResult } from '#work/verification/gates'
import { verifiedWork, type VerifiedWork } from '#work/verification/result'
import { snapshotDigest, type WorkSnapshot } from '#work/verification/snapshot'
import { codeGates, type CodeGates } from './code-gates.ts'
import { workIn } from './work-in.ts'
import { textGates } from './work-text.ts'
import type { Looking, WorkToVerify } from './work-to-verify.ts'

/** Throws a `Fault` where there is no folder to be read. */
export async function verifyWork(of: WorkToVerify): Promise<VerifiedWork> {
  const { contract, digest, reported } = of
  return withFolder(async (top) => {
    const copy = join(top, 'copy')
    const snapshot = await workIn(of.place, copy)
    if (typeof snapshot === 'string') {
      const gates = [gateResult('files', 'inconclusive', { code: snapshot })]
      return verifiedWork({ contract, digest, snapshot, isolation: null, gates, reported })
    }
    if (isOther(of.expected, snapshot)) {
      const gates = [gateResult('files', 'inconclusive', { code: 'other_content' })]
      return verifiedWork({ contract, digest, snapshot, isolation: null, gates, reported })
    }
    const looking: Looking = { ...of, copy, snapshot }
    const code = codeGates(looking)
    const gates = await inOrder(looking, code)
    return verifiedWork({ contract, digest, snapshot, isolation: code.held(), gates, reported })
  })
}

function isOther(expected: WorkToVerify['expected'], snapshot: WorkSnapshot): boolean {
  return expected !== undefined && snapshotDigest(snapshot) !== expected.digest
}

/** After one that fails, all others are skipped. */
async function inOrder(looking: Looking, code: CodeGates): Promise<readonly GateResult[]> {
  const { contract, snapshot, reported } = looking
  const text = textGates(looking)
  const run: Readonly<Record<(typeof gateNames)[number], () => Promise<GateResult> | GateResult>> =
    {
      files: () => filesGate(contract, reported?.claim ?? null, snapshot),
      tests: () => code.tests(),
      lint: () => code.lint(),
      syntax: () => code.syntax(),
      structure: () => text.structure(),
      sources: () => text.sources(),
      links: () => text.links(),
      council: () => text.council(),
    }
  const gates: GateResult[] = []
  for (const name of gateNames) {
    const hasFailed = gates.some(({ outcome }) => outcome === 'fail')
    gates.push(
      hasFailed ? gateResult(name, 'skipped', { code: 'after_failure' }) : await run[name](),
    )
  }
  return gates
}
