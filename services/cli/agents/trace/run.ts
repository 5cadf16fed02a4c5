// Prints the whole story of one intent, as `client.trace` gives it.
import { systemClock as clock } from '#system/clock'
import { traceOf, type TracedFact } from '#client/answers/trace'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { readContentOf } from '#operations/finding/fact-shown'
import { wrapped } from '#cli/terminal/width'
import { findIntent } from '#client/reading/intent-named'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { withDeciders } from '#cli/terminal/opening/deciders'
import { withOneLog } from '#cli/terminal/opening/opened'
import type { Story } from '#present/story/story'
import type { StoryStep } from '#present/story/reported'
import { duration, utc } from '#present/wording'
import { toned, type Line, type Tone } from '#cli/terminal/line'

// A story on the screen: the summary, then each step with the time since the first one.

const timeWidth = 10

export function storyLines(story: Story): readonly Line[] {
  const { intent, outcome, summary, steps } = story
  const [first] = steps
  const began = first === undefined ? [] : [toned('dim', `began ${utc(first.appendedAt)}`)]
  const tones: Readonly<Record<Story['outcome'], Tone>> = {
    allow: 'good',
    deny: 'bad',
    open: 'warn',
    none: 'plain',
  }
  return [
    toned(tones[outcome], summary),
    toned('dim', intent),
    ...began,
    ...steps.flatMap((step) => ['', ...stepLines(step, first?.appendedAt ?? 0)]),
  ]
}

function stepLines(step: StoryStep, from: number): readonly Line[] {
  const { appendedAt, title, details, tone, position } = step
  const time = `+${duration(Math.max(0, appendedAt - from))}`.padEnd(timeWidth)
  const indent = ' '.repeat(timeWidth + 2)
  const isVoid = step.void !== null
  const tones = { plain: 'strong', good: 'good', bad: 'bad', void: 'dim' } as const
  return [
    toned(tones[tone], `${time}  ${title}${isVoid ? '  (void)' : ''}`),
    ...(isVoid ? [toned('dim', `${indent}counts for nothing: ${step.void}`)] : []),
    ...details.map((detail) => (isVoid ? toned('dim', indent + detail) : indent + detail)),
    toned('dim', `${indent}fact ${position}`),
  ]
}

export async function trace(meant: string, options: GlobalOptions): Promise<number> {
  const at = await cellOfIntent(options, meant, 'any')
  return withOneLog(at.options, async (log, place) => {
    const address = await findIntent(log, place, at.meant)
    const traced = await withDeciders(at.options, (deciders) =>
      traceOf({ log, place, clock, deciders }, address),
    )
    const { facts, text: _, ...story } = traced
    if (options.json === true) await printJson({ ...story, facts: facts.map(factOf) })
    else await print(wrapped(storyLines(story)))
    return exitCodes.yes
  })
}

function factOf({ position, appendedAt, name, bytes, void: why }: TracedFact): unknown {
  const time = new Date(appendedAt).toISOString()
  return { position, appendedAt: time, name, void: why, fact: readContentOf(bytes) }
}
