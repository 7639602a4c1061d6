import { encoded } from '@ordinator/model/areas/prints/markup'
import { barsOf, svgOf } from '#platform/barcodes.ts'

/** Replaces code placeholders by drawn pictures, for the preview on a screen. */
export async function codesAsPictures(html: string): Promise<string> {
  let drawn = ''
  let from = 0
  for (const { 0: whole, 1: kind = '', 2: alt = '', index } of html.matchAll(
    /<img data-code="(\w+)" alt="([^"]*)">/g,
  )) {
    const text = alt.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
    const bars = await barsOf(kind, text)
    drawn += html.slice(from, index) + (bars ? `<img alt="${alt}" src="${svgOf(bars)}">` : encoded(text))
    from = index + whole.length
  }
  return drawn + html.slice(from)
}
