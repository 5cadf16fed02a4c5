// One request more than are served, all of them open before any stage has looked.
import { stages } from '#workers/stages'
import { quiet, restarted, say, type Play } from '../play.ts'

const servedMax = 256

export async function crowd(play: Play): Promise<Play> {
  const alone = await restarted(play, { stages: [] })
  for (let count = 0; count <= servedMax; count += 1) {
    await say(alone, { as: 'honest', intent: { tool: 5 } })
  }
  const back = await restarted(alone, { stages })
  await quiet(back)
  return back
}
