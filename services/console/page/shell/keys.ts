// Keys that go through lists. They mean nothing while someone writes, or with a key held beside.
export function onKeys(act: (key: string, event: KeyboardEvent) => void): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const isTyping =
      target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null
    if (!isTyping && !ctrlKey && !metaKey && !altKey) act(key, event)
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}
