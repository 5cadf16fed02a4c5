// Takes passwords out of what is shown: an address may hold one wherever it is quoted, also in the
// words of a driver's error. It knows no other secrets; those never become text.

/** The text with no user and password in any address. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^\s/?#]*@/g, '$1')
}
