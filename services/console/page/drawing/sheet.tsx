// A dialog: from below on a phone, in the middle on a wide screen. It takes the focus and gives it
// back, and closes by Escape.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { labels } from '#present/console/labels'

interface SheetProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Sheet({ title, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog ref={dialog} class="sheet" aria-labelledby="sheet-title" onClose={onClose}>
      <header class="ends sheet-head">
        <h2 id="sheet-title">{title}</h2>
        <button type="button" class="icon-button" aria-label={labels.close} onClick={onClose}>
          <span aria-hidden="true">✕</span>
        </button>
      </header>
      {children}
    </dialog>
  )
}
