// What the work demo adds to the settings of its catalog: the folder of each worker, and how
// programs are held here.
import type { CatalogOperation } from '#schemas/catalog'
import type { WorkRules } from '#schemas/work/settings'
import type { Worker } from '#demo/work-task'
import type { TestPrograms } from './test-programs.ts'
import type { Workshop } from './workshop.ts'

/** What the catalog says of work, with the folder of each worker. */
export function workOperation(
  work: WorkRules,
  {
    workers,
    workshop,
    programs,
  }: {
    readonly workers: readonly Worker[]
    readonly workshop: Pick<Workshop, 'folderOf'>
    readonly programs: Pick<TestPrograms, 'isolation' | 'readable'>
  },
): CatalogOperation {
  const readable = [...programs.readable]
  const workspaces = workers.map(({ agent }) => {
    return { id: agent, folder: workshop.folderOf(agent), readable }
  })
  const isProcess = programs.isolation === 'process'
  const value = { ...work, workspaces, ...(isProcess && { isolation: 'process' as const }) }
  return { op: 'set', key: 'work', value }
}
