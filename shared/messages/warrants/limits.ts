// What kind of token each is, how long one may be, and how far two clocks may be apart.

export const tokenType = 'warrant+jwt'
export const linkType = 'warrant-link+jwt'
export const dpopType = 'dpop+jwt'

/** Of one token, without the links that narrow it. */
export const tokenCharactersMax = 98_304
export const linkCharactersMax = 49_152
export const dpopCharactersMax = 8_192
/** How often a warrant may be passed on. */
export const linksMax = 4
/** Of a token with all its links. */
export const presentedCharactersMax = tokenCharactersMax + linksMax * (linkCharactersMax + 1)
/** Between a token and each link that narrows it. */
export const linkSign = '~'

/** So much may the verifier’s clock be behind. No clock makes a token good for longer. */
export const clockMsMax = 5_000
/** A proof is of the present. */
export const dpopMsMax = 60_000
