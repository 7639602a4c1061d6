/** Marked pictures of examinations on printed documents. */
import { readMarked } from '@ordinator/model/areas/prints/marked'
import { markedDrawing, markedSvg } from '#platform/markedPicture.ts'
import type { Drawing } from '#platform/pdfBlocks.ts'
import { openedIn, sizeOf } from './images.ts'

type Own = Readonly<Record<string, Uint8Array>>

/** @returns undefined for a foreign address, or a missing picture */
export function marksDrawing(src: string, own: Own, room: number): Drawing | undefined {
  const marked = readMarked(src)
  if (!marked) return undefined
  const bytes = own[marked.picture]
  const size = bytes && sizeOf(bytes)
  const place = size && {
    ...size,
    place: (...[doc, x, y, to]: Parameters<PlaceOf>) => void doc.image(openedIn(doc, marked.picture, bytes), x, y, to),
  }
  return markedDrawing(marked, place, room)
}
type PlaceOf = NonNullable<Parameters<typeof markedDrawing>[1]>['place']

/** Replaces marked pictures by drawn ones, for the preview on a screen. */
export const marksAsPictures = (html: string, own: Own): string =>
  html.replace(/<img src="(marked:[^"]*)" alt="">/g, (_, src: string) => {
    const marked = readMarked(src)
    const bytes = marked && own[marked.picture]
    const size = bytes && sizeOf(bytes)
    const drawn = marked && markedSvg(marked, bytes && size && { ...size, bytes })
    return drawn ? `<img alt="" data-marked src="${drawn}">` : ''
  })
