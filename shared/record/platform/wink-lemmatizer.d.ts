// The package comes without types; what it exports is looked at before it is used.
declare module 'wink-lemmatizer' {
  const lemmatizer: unknown
  export = lemmatizer
}
