/** Characters that XML 1.0 has no way to write, also not escaped (https://www.w3.org/TR/xml/#charsets). */
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** The text without characters that XML does not allow. */
export const writableXml = (text: string): string => text.toWellFormed().replace(UNWRITABLE, '')

/** The text as it is written in XML, also within an attribute in double quotes. */
export const escapedXml = (text: string): string =>
  writableXml(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The text of an element in canonical XML (https://www.w3.org/TR/xml-c14n#ProcessingModel), for what is signed. */
export const canonicalText = (text: string): string =>
  writableXml(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#xD;')
