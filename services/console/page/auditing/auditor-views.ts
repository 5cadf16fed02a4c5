// Which views are the auditor's. It stands apart from them, which are loaded when someone goes
// there, so that the start page stays small for those who answer on a phone.
const views: ReadonlySet<string> = new Set(['log', 'intents', 'graph', 'compare'])

/** Whether the auditor's part draws that view. */
export function isAuditorView(view: string | undefined): boolean {
  return view !== undefined && views.has(view)
}
