/** Encodings of a text file, by their `TextDecoder` labels. */
export const fileEncodings = {
  'utf-8': 'UTF-8',
  'windows-1251': 'Windows-1251',
  ibm866: 'CP866 (DOS)',
  'koi8-r': 'KOI8-R',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 BE',
} as const
export type FileEncoding = keyof typeof fileEncodings

/** Number of first lines that may contain the header. */
export const HEAD_LINES = 30
