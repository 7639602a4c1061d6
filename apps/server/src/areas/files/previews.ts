import { type PreviewSize, previewSizes } from '@ordinator/model/areas/files/file'
import sharp from 'sharp'
import { ValidationError } from '../../platform/errors.ts'

/** Pixels of an image at most: decoded, that is about half a gigabyte; the largest phone cameras stay below. */
export const MAX_PIXELS = 130_000_000
const PREVIEW_SECONDS = 30
const QUALITY = 80

/** Formats that every such file must be readable in; what else calls itself an image may stay without previews. */
const readable = new Set(['jpg', 'png', 'gif', 'webp', 'avif'])
/** Drawings are programs: they are never rendered here. */
const neverDrawn = new Set(['svg', 'pdf', 'psd', 'ico', 'eps'])

export interface Previews {
  width: number
  height: number
  made: Map<PreviewSize, Buffer>
}

/**
 * Smaller copies of an image in WebP, without its metadata (place and camera), turned as it is to be seen. A size that
 * would not be smaller is not made. Undefined: an image that cannot be read here, but need not be.
 * @throws ValidationError for a broken image and for one of too many pixels
 */
export async function previewsOf(path: string, extension: string): Promise<Previews | undefined> {
  if (neverDrawn.has(extension)) return undefined
  try {
    const meta = await sharp(path, { limitInputPixels: false }).metadata()
    const { width, height } = meta.autoOrient ?? meta
    if (width * height > MAX_PIXELS) {
      throw new ValidationError([
        {
          field: 'file',
          message: `Слишком большая картинка: ${width} × ${height} точек, а можно не больше ${MAX_PIXELS / 1_000_000} млн точек`,
        },
      ])
    }
    const made = new Map<PreviewSize, Buffer>()
    for (const [size, side] of Object.entries(previewSizes) as [PreviewSize, number][]) {
      if (Math.max(width, height) <= side && readable.has(extension)) continue
      made.set(size, await draw(path, side))
    }
    // A picture too small for any preview is still read whole once, to learn that it is not broken.
    if (made.size === 0) await draw(path, previewSizes.small)
    return { width, height, made }
  } catch (error) {
    if (error instanceof ValidationError) throw error
    if (!readable.has(extension)) return undefined
    throw new ValidationError([{ field: 'file', message: 'Картинка повреждена: её не удалось прочитать' }])
  }
}

const draw = (path: string, side: number): Promise<Buffer> =>
  sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' })
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .timeout({ seconds: PREVIEW_SECONDS })
    .toBuffer()
