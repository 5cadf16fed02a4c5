// The names that the log has: ids of the catalog as it is with what is in the change set, and
// concepts that begin with what is being written.
import { useSignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useEffect, useMemo } from 'preact/hooks'
import { askServer } from '../../shell/requests.ts'
import type { CatalogRead } from '../catalog/places.ts'
import type { KnownNames } from './completion.ts'

const typingMs = 200

const noCatalog: CatalogRead = {
  principals: [],
  groups: [],
  capabilities: [],
  confirmations: [],
  limits: [],
  trustedEvidence: [],
  knownConstraints: [],
  learning: false,
}

/** The catalog that the editors below it complete names from. */
export const CatalogAround = createContext<CatalogRead>(noCatalog)

export interface Names {
  readonly known: KnownNames
  /** Looks for concepts that begin so. */
  readonly look: (begun: string) => void
}

export function useNames(): Names {
  const catalog = useContext(CatalogAround)
  const begun = useSignal('')
  const concepts = useSignal<readonly string[]>([])
  useEffect(() => {
    let isOld = false
    const look = async (): Promise<void> => {
      const query = begun.value === '' ? {} : { search: begun.value.slice(0, 256) }
      // What cannot be read completes nothing.
      const answer = await askServer('graph', '/graph', { query }).catch(() => null)
      if (isOld || answer === null) return
      concepts.value = answer.graph.primitives.map(({ name }) => name)
    }
    const waiting = window.setTimeout(() => void look(), typingMs)
    return () => {
      isOld = true
      window.clearTimeout(waiting)
    }
  }, [begun.value])
  const known = useMemo(() => ({ catalog, concepts: concepts.value }), [catalog, concepts.value])
  return { known, look: (text) => (begun.value = text) }
}
