// How long a reason must be. It stands alone, since a browser that only repeats it needs no schema.

/** A reason has so many characters at least, where the catalog sets no other number. */
export const justificationCharacters = 15
