// What an evaluation over HTTP allocates in the process that answers it; another asks.
import { allocated } from '../allocated.ts'
import { inFolder } from '../deployment.ts'
import { sized, type Bench } from '../harness.ts'
import { routes } from '#schemas/http/routes'
import { askedEvaluations, evaluatingSetup } from './authzen.ts'
import { served } from './served.ts'

const warmUp = sized(4_000)
const count = sized(6_000)

export const bench: Bench = {
  title: 'Bytes that an evaluation over HTTP allocates, embedded',
  run: () =>
    inFolder(async (folder) => {
      const { url, token, close } = await served(folder, evaluatingSetup)
      const { path } = routes.evaluation
      const side = { name: 'ours', shape: 'authzen', url, token, path } as const
      await askedEvaluations(side, warmUp)
      const work = () => askedEvaluations(side, count)
      const figures = await allocated({ each: 'an evaluation', count, aims: [], work })
      await close()
      return figures
    }),
}
