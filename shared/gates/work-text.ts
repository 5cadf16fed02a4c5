// The gates of a text, with what they need of the world: the text itself, answers for its links,
// and the replies of a council. The world is asked only where the caller allows it.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '#system/clock'
import { askLinks } from './run/link-answers.ts'
import { councilRemarks, councilResult } from '#work/council'
import { councilQuestion } from '#work/verification/council-question'
import { demandedFiles } from '#work/verification/files-gate'
import { gateResult, type GateResult } from '#work/verification/gates'
import {
  blockedLinks,
  firstLinks,
  linksGate,
  linksToAsk,
  sourcesGate,
  structureGate,
  type GivenText,
} from '#work/verification/text-gates'
import type { Model } from '#ports/models'
import type { Looking } from './work-to-verify.ts'

export interface TextGates {
  structure(): Promise<GateResult>
  sources(): Promise<GateResult>
  links(): Promise<GateResult>
  council(): Promise<GateResult>
}

export function textGates(looking: Looking): TextGates {
  const { contract, online, model } = looking
  return {
    structure: async () => structureGate(contract, await documentOf(looking)),
    sources: async () => {
      return sourcesGate(contract, await documentOf(looking), systemClock.now())
    },
    links: async () => {
      const links = linksToAsk(contract, await documentOf(looking))
      const isAsked = online !== null && links !== null && blockedLinks(links).length === 0
      const answers = isAsked ? await askLinks(firstLinks(links), online) : null
      return linksGate(links, answers)
    },
    async council() {
      if (contract.verificationMode !== 'council') {
        return gateResult('council', 'skipped', { code: 'not_asked' })
      }
      if (model === null) return gateResult('council', 'skipped', { code: 'no_model' })
      return councilOf(looking, model)
    },
  }
}

async function documentOf({ contract, copy, snapshot }: Looking): Promise<GivenText> {
  const { document } = contract
  if (document === undefined || !snapshot.files.has(document)) return null
  return textOf(join(copy, document))
}

async function textOf(path: string): Promise<GivenText> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch {
    return null
  }
}

const shownBytesMax = 256 * 1024

/** Reviewers see all of it or are not asked: what they do not see they cannot approve. */
async function councilOf(looking: Looking, model: Model): Promise<GateResult> {
  const { contract, copy, snapshot, reported } = looking
  const paths = [...demandedFiles(contract, reported?.claim ?? null, snapshot)]
  const { document } = contract
  if (document !== undefined && !paths.includes(document)) paths.push(document)
  const work = new Map<string, string>()
  let bytes = 0
  for (const path of paths) {
    bytes += snapshot.files.get(path)?.bytes ?? 0
    if (bytes > shownBytesMax) {
      return gateResult('council', 'inconclusive', { code: 'council_too_large' })
    }
    const text = await textOf(join(copy, path))
    if (text === null) return gateResult('council', 'inconclusive', { code: 'no_document' })
    work.set(path, text)
  }
  if (work.size === 0) return gateResult('council', 'inconclusive', { code: 'no_files' })
  const nonce = randomUUID()
  const question = councilQuestion({ contract, work, nonce, fence: `=== ${randomUUID()}` })
  const replies: unknown[] = []
  for (let seat = 0; seat < contract.councilSize; seat += 1) {
    const answer = await model.ask(question)
    replies.push('answer' in answer ? JSON.stringify(answer.answer) : undefined)
  }
  if (replies.every((reply) => reply === undefined)) {
    return gateResult('council', 'error', { code: 'model_failed', evidence: { model: model.name } })
  }
  const council = { seats: contract.councilSize, replies, nonce }
  const { passed, approvals, seats, votes } = councilResult(council)
  const remarks = councilRemarks(council).map((one) => ({ ...one }))
  const evidence = { model: model.name, approvals, seats, votes, remarks }
  if (passed) return gateResult('council', 'pass', { evidence })
  return gateResult('council', 'fail', { code: 'not_passed', evidence })
}
