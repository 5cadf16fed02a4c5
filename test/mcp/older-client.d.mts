// The types of what is used of it by hand: the module runs as it stands.
interface Answer {
  readonly content: unknown
  readonly isError?: boolean
  readonly structuredContent?: unknown
  readonly _meta?: Record<string, unknown>
}

interface OlderClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(call: { readonly name: string; readonly arguments: object }): Promise<Answer>
  close(): Promise<void>
}

export function olderClient(
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>,
): Promise<OlderClient>
