// The names that the log has: ids of the catalog as it is with what is in the change set, and
// concepts that begin with what is being written.
import { useSignal } from '@preact/signals'
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect, useMemo } from 'preact/hooks'
import { CatalogFile } from '#schemas/catalog'
import { askServer } from '../../shell/requests.ts'
import type { CatalogRead } from '../catalog/places.ts'
import type { KnownNames } from './completion.ts'

const typingMs = 200

const noCatalog = CatalogFile.parse({})

interface Names {
  readonly known: KnownNames
  /** Looks for concepts that begin so. */
  readonly look: (begun: string) => void
}

const Around = createContext<Names>({
  known: { catalog: noCatalog, concepts: [] },
  look: () => undefined,
})

/** Of the editor that this is in. */
export function useNames(): Names {
  return useContext(Around)
}

interface WithNamesProps {
  readonly catalog?: CatalogRead
  readonly children: ComponentChildren
}

/** All fields below it complete their texts from one catalog, and ask for concepts once. */
export function WithNames({ catalog = noCatalog, children }: WithNamesProps) {
  const begun = useSignal<string | null>(null)
  const concepts = useSignal<readonly string[]>([])
  useEffect(() => {
    const { value } = begun
    if (value === null) return
    let isOld = false
    const find = async (): Promise<void> => {
      const query = { search: value.slice(0, 256), limit: '300' }
      // What cannot be read completes nothing.
      const answer = await askServer('concepts', '/concepts', { query }).catch(() => null)
      if (isOld || answer === null) return
      concepts.value = answer.rows.map(({ name }) => name)
    }
    const waiting = window.setTimeout(() => void find(), typingMs)
    return () => {
      isOld = true
      window.clearTimeout(waiting)
    }
  }, [begun.value])
  const names = useMemo<Names>(
    () => ({
      known: { catalog, concepts: concepts.value },
      look: (text) => (begun.value = text),
    }),
    [catalog, concepts.value],
  )
  return <Around.Provider value={names}>{children}</Around.Provider>
}
