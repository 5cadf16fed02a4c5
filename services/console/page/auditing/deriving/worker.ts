// Derives one intent again, away from the page: in a worker that may compile the schemas of
// arguments, which the page may not, and that may reach nothing, so what it is given stays there.
import { deriveAgain } from '#replay/backup/derive-again'
import { deciders } from '#workers/deciders'
import type { DerivingAnswer, DerivingAsked } from './derive-view.tsx'

function answerWith(answer: DerivingAnswer): void {
  postMessage(answer)
}

async function derive(asked: DerivingAsked): Promise<void> {
  try {
    const { facts, report } = await deriveAgain({ ...asked, stages: deciders, rootKey: null })
    const { log, readBack } = report
    answerWith({ facts, log, readBack })
  } catch (error) {
    answerWith({ failed: error instanceof Error ? error.message : 'failed' })
  }
}

addEventListener('message', ({ data }: MessageEvent<DerivingAsked>) => void derive(data))
