// The level of a standing, as a word with a colour.
import { standingLevelText, levelTone } from '#present/work/standing-text'
import type { StandingRow } from '#schemas/operations/standings'

export function LevelState({ level }: Pick<StandingRow, 'level'>) {
  return <span class={`state state-${levelTone(level)}`}>{standingLevelText(level)}</span>
}
