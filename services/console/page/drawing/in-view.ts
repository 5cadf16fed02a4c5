// Brings what the address names into view, once it is there.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export function useInView<Of extends HTMLElement>(
  isHere: boolean,
  block: ScrollLogicalPosition = 'center',
): RefObject<Of | null> {
  const row = useRef<Of>(null)
  useEffect(() => {
    if (isHere) row.current?.scrollIntoView({ block })
  }, [isHere])
  return row
}
