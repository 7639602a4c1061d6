/** QR codes and bar codes as dark cells, by bwip-js, which is loaded on first use. */

/** Dark cells of a code `width` modules wide and `height` rows high: position and length of each. */
export interface Bars {
  width: number
  height: number
  cells: [column: number, row: number, length: number][]
  /** Human-readable text under bars. */
  under?: string
}

const MAX_TEXT = 1_000
const kinds: Readonly<Record<string, { bcid: string; hasText: boolean }>> = {
  qr: { bcid: 'qrcode', hasText: false },
  code128: { bcid: 'code128', hasText: true },
  ean13: { bcid: 'ean13', hasText: true },
}

/** @returns undefined when the symbology cannot encode the text */
export async function barsOf(kind: string, text: string): Promise<Bars | undefined> {
  const known = kinds[kind]
  if (!known || text === '' || text.length > MAX_TEXT) return undefined
  const { default: library } = await import('bwip-js/node')
  let drawn: ReturnType<typeof library.raw>[number] | undefined
  try {
    drawn = library.raw({ bcid: known.bcid, text })[0]
  } catch {
    return undefined
  }
  if (drawn?.pixs && drawn.pixx && drawn.pixy) return squares(drawn.pixs, drawn.pixx, drawn.pixy)
  return drawn?.sbs && { ...stripes(drawn.sbs), ...(known.hasText && { under: text }) }
}

function squares(pixels: readonly number[], width: number, height: number): Bars {
  const cells: Bars['cells'] = []
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      let length = 0
      while (column + length < width && pixels[row * width + column + length]) length++
      if (length) cells.push([column, row, length])
      column += length
    }
  return { width, height, cells }
}

function stripes(widths: readonly number[]): Bars {
  const cells: Bars['cells'] = []
  let column = 0
  for (const [at, width] of widths.entries()) {
    if (at % 2 === 0) cells.push([column, 0, width])
    column += width
  }
  return { width: column, height: 1, cells }
}

/** The code as an SVG image, `data:image/svg+xml`. */
export function svgOf({ width, height, cells }: Bars): string {
  const high = height > 1 ? 1 : width / 4
  const path = cells.map(([x, y, length]) => `M${x} ${y * high}h${length}v${high}h-${length}z`).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height * high}" shape-rendering="crispEdges"><path d="${path}"/></svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
