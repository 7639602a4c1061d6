/** Styles of an exported document that its import knows by their names. */
export const serviceStyle = 'OrdinatorService'
export const quoteStyle = 'OrdinatorQuote'
export const codeStyle = 'OrdinatorCode'
