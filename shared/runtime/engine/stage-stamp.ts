// The stamp of what a stage binds now: who, when by the log's clock, and up to where it had folded.
import type { Stamp } from '#record/event'
import type { Stage } from '#stages/stage'
import type { Advancing } from './advance.ts'

type Stamping = Pick<Advancing, 'clock' | 'follower' | 'id'> & {
  readonly stage: Pick<Stage, 'name'>
}

export function stageStamp({ clock, follower, stage, id }: Stamping): Stamp {
  const time = new Date(clock.now()).toISOString()
  return { source: `warrant/${stage.name}/${id}`, time, basis: follower.state.position }
}
