/** Style names of an exported document that the import recognizes. */
export const serviceStyle = 'OrdinatorService'
export const quoteStyle = 'OrdinatorQuote'
export const codeStyle = 'OrdinatorCode'
