// The way out to where traces are shown, if someone said where that is. It is kept in this browser:
// which program a person looks at traces with is no matter of the log.
import { signal, useSignal } from '@preact/signals'
import { auditLabels } from '#present/auditing/audit-labels'
import { traceAddress, traceTemplate } from '#present/auditing/trace-id'
import { Sheet } from '../../drawing/sheet.tsx'

const kept = 'warrant.traces'
const template = signal(traceTemplate(window.localStorage.getItem(kept) ?? ''))

export function TraceLink({ trace }: { readonly trace: string }) {
  const isSetting = useSignal(false)
  const { value } = template
  return (
    <>
      {value !== null && (
        <a
          class="button button-small"
          href={traceAddress(value, trace)}
          target="_blank"
          rel="noreferrer noopener"
        >
          {auditLabels.story.trace} <span aria-hidden="true">↗</span>
        </a>
      )}
      <button type="button" class="text-button" onClick={() => (isSetting.value = true)}>
        {auditLabels.story.traceSet}
      </button>
      {isSetting.value && <TraceSetting onClose={() => (isSetting.value = false)} />}
    </>
  )
}

function TraceSetting({ onClose }: { readonly onClose: () => void }) {
  const text = useSignal(template.value ?? '')
  const isBad = useSignal(false)
  const keep = (event: Event): void => {
    event.preventDefault()
    const found = traceTemplate(text.value)
    isBad.value = found === null && text.value.trim() !== ''
    if (isBad.value) return
    template.value = found
    if (found === null) window.localStorage.removeItem(kept)
    else window.localStorage.setItem(kept, found)
    onClose()
  }
  return (
    <Sheet title={auditLabels.story.traceSet} onClose={onClose}>
      <form onSubmit={keep}>
        <label class="field">
          <span>{auditLabels.story.traceTemplate}</span>
          <input
            inputMode="url"
            spellcheck={false}
            autoComplete="off"
            maxLength={1_000}
            aria-invalid={isBad.value ? 'true' : 'false'}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </label>
        <p class={isBad.value ? 'field-problem' : 'quiet small'}>
          {isBad.value ? auditLabels.story.traceBad : auditLabels.story.traceHint}
        </p>
        <button type="submit" class="button button-main">
          {auditLabels.story.save}
        </button>
      </form>
    </Sheet>
  )
}
