// A story on the screen: the summary, then each step with the time since the first one.
import type { Story } from '#present/story/story'
import type { StoryStep } from '#present/story/reported'
import { duration, utc } from '#present/wording'
import { toned, type Line, type Tone } from '#cli/terminal/line'

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
