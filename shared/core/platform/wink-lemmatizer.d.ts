// The package comes without types; what it exports is looked at before it is used.
declare module 'wink-lemmatizer' {
  const lemmatizer: unknown
  // Its own form: this only says what it has.
  // oxlint-disable-next-line import/no-default-export
  export default lemmatizer
}
