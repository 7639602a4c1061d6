/** A picture of an examination with its marks, encoded as a URL in the markup of a paper. Pure. */
import type { PictureMark } from '../examinations/form.ts'

export interface MarkedPicture {
  /** A built-in one, or the name of an own picture. */
  picture: string
  /** Percent of width and height. */
  marks: readonly Pick<PictureMark, 'x' | 'y'>[]
}

const SCHEME = 'marked:'

export const markedAddress = ({ picture, marks }: MarkedPicture): string =>
  SCHEME + [picture, ...marks.map(({ x, y }) => `${x},${y}`)].join(';')

/** @returns undefined for any other URL */
export function readMarked(address: string): MarkedPicture | undefined {
  if (!address.startsWith(SCHEME)) return undefined
  const [picture = '', ...marks] = address.slice(SCHEME.length).split(';')
  return {
    picture,
    marks: marks.map((mark) => {
      const [x = 0, y = 0] = mark.split(',').map(Number)
      return { x, y }
    }),
  }
}
