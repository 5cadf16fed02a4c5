// The way out to where traces are shown, if who runs the server said where that is. The address is
// checked here again: a page links to nothing but http.
import { auditLabels } from '#present/auditing/audit-labels'
import { traceAddress, traceTemplate } from '#present/auditing/trace-id'
import { person } from '../../shell/session.ts'

export function TraceLink({ trace }: { readonly trace: string }) {
  const template = traceTemplate(person.value?.traces ?? '')
  if (template === null) return null
  return (
    <a
      class="button button-small"
      href={traceAddress(template, trace)}
      target="_blank"
      rel="noreferrer noopener"
    >
      {auditLabels.story.trace} <span aria-hidden="true">↗</span>
    </a>
  )
}
