import { type PreviewSize, previewSizes } from '@ordinator/model/storedFile'
import { type Decoder, MAX_PIXELS, PictureError } from '#platform/decoding.ts'
import { ValidationError } from '#platform/errors.ts'

/** Maximum bytes of a decoded image. */
const MAX_UNFOLDED = 300_000_000
/** Measured bytes per pixel of decoding formats that cannot be decoded by line; others: OTHER. */
const bytesAPixel: Record<string, number> = { webp: 1, gif: 6, avif: 20 }
const OTHER = 4
/** Of an animation. Only the first frame is rendered, but viewers decode them all. */
const MAX_FRAMES = 1000
const QUALITY = 80

/** Formats that must be decodable; other image types may stay without previews. */
const readable = new Set(['jpg', 'png', 'gif', 'webp', 'avif'])
/** Drawings may contain code: they are never rendered here. */
const neverDrawn = new Set(['svg', 'pdf', 'psd', 'ico', 'eps'])

export interface Previews {
  width: number
  height: number
  made: Map<PreviewSize, Buffer>
}

/**
 * Smaller copies of an image in WebP, without metadata (place and camera), with its orientation applied. A size that
 * would not be smaller is skipped. Undefined: an image that cannot be decoded here, and need not be.
 * @throws ValidationError for a broken image, and for one with too many pixels or frames
 */
export async function previewsOf(decoder: Decoder, path: string, extension: string): Promise<Previews | undefined> {
  if (neverDrawn.has(extension)) return undefined
  try {
    return await drawAll(decoder, path, extension)
  } catch (error) {
    if (!(error instanceof PictureError)) throw error
    if (!readable.has(extension)) return undefined
    throw refuse('Картинка повреждена: её не удалось прочитать')
  }
}

async function drawAll(decoder: Decoder, path: string, extension: string): Promise<Previews> {
  const { width, height, isProgressive, pages } = await decoder.look(path)
  const most = mostPixels(extension, isProgressive)
  if (width * height > most)
    throw refuse(
      `Слишком большая картинка: ${width} × ${height} точек, а можно не больше ${most / 1_000_000} млн точек`,
    )
  if (pages > MAX_FRAMES) throw refuse(`Слишком много кадров: ${pages}, а можно не больше ${MAX_FRAMES}`)
  const sizes = (Object.entries(previewSizes) as [PreviewSize, number][]).filter(
    ([, side]) => Math.max(width, height) > side || !readable.has(extension),
  )
  // Decoded even if no size is smaller, to check that it is not broken.
  const [, largest] = sizes.at(-1) ?? ['small', previewSizes.small]
  const drawn = await decoder.draw(path, {
    failOn: 'truncated',
    resize: { width: largest, height: largest, fit: 'inside', withoutEnlargement: true },
    copies: sizes.map(([, side]) => ({ side, format: 'webp', quality: QUALITY })),
  })
  return { width, height, made: new Map(sizes.map(([size], i) => [size, drawn[i]?.bytes as Buffer])) }
}

/** Of PNG and JPEG only interlaced and progressive ones are decoded as a whole. */
function mostPixels(extension: string, isProgressive: boolean): number {
  if ((extension === 'png' || extension === 'jpg') && !isProgressive) return MAX_PIXELS
  return Math.min(MAX_PIXELS, Math.floor(MAX_UNFOLDED / (bytesAPixel[extension] ?? OTHER)))
}

const refuse = (message: string) => new ValidationError([{ field: 'file', message }])
