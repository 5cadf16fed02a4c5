// The one way to start a script of this server beside the page: the policy of the page trusts no
// address that is made of text, and this one whatever it is asked for.
interface Policies {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

function isPolicies(value: unknown): value is Policies {
  return typeof value === 'object' && value !== null && 'createPolicy' in value
}

/** The address, as what starts scripts takes it. */
export function trustedScript(name: string, script: `${string}.js`): string {
  const policies: unknown = Reflect.get(window, 'trustedTypes')
  const trusted = isPolicies(policies)
    ? policies.createPolicy(name, { createScriptURL: () => script })
    : null
  return trusted === null ? script : trusted.createScriptURL(script)
}
