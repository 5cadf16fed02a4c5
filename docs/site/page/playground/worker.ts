// Judges away from the page, which can end it whatever it is given. What it is given may come from
// anyone: it goes nowhere from here but to the page, as data.
import { judgedTexts } from '#cases/judged'
import type { JudgingAnswer, JudgingAsked } from './judging-words.ts'

const loadedMs = performance.now()

function answerWith(answer: JudgingAnswer): void {
  postMessage(answer)
}

async function judge({ number, texts }: JudgingAsked): Promise<void> {
  const began = performance.now()
  const said = (isLast: boolean) => {
    return { number, isLast, loadedMs, judgedMs: performance.now() - began }
  }
  try {
    const judged = await judgedTexts({ ...texts, cases: '' })
    answerWith({ judged, ...said(false) })
    const { problems, tried } = await judgedTexts({ ...texts, request: '', history: '' })
    const more = problems.filter(({ part }) => part === 'cases')
    answerWith({
      judged: { ...judged, problems: [...judged.problems, ...more], tried },
      ...said(true),
    })
  } catch (error) {
    const failed = error instanceof Error ? error.message : 'failed'
    answerWith({ judged: null, failed, ...said(true) })
  }
}

addEventListener('message', ({ data }: MessageEvent<JudgingAsked>) => void judge(data))
