import { type PreviewSize, previewSizes } from '@ordinator/model/storedFile'
import { type Decoder, MAX_PIXELS, PictureError } from '#platform/decoding.ts'
import { ValidationError } from '#platform/errors.ts'

/** Bytes that an image may take while it is unfolded. */
const MAX_UNFOLDED = 300_000_000
/** Bytes a pixel that unfolding takes where it cannot go line by line (measured); of what is not here: OTHER. */
const bytesAPixel: Record<string, number> = { webp: 1, gif: 6, avif: 20 }
const OTHER = 4
/** Of an animation. Only the first is drawn, but who looks at it unfolds them all. */
const MAX_FRAMES = 1000
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
 * @throws ValidationError for a broken image, and for one of too many pixels or frames
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
  // It is unfolded even where no size is smaller: so one learns that it is not broken.
  const [, largest] = sizes.at(-1) ?? ['small', previewSizes.small]
  const drawn = await decoder.draw(path, {
    failOn: 'truncated',
    resize: { width: largest, height: largest, fit: 'inside', withoutEnlargement: true },
    copies: sizes.map(([, side]) => ({ side, format: 'webp', quality: QUALITY })),
  })
  return { width, height, made: new Map(sizes.map(([size], i) => [size, drawn[i]?.bytes as Buffer])) }
}

/** Of PNG and JPEG only the interlaced and the progressive ones are unfolded whole. */
function mostPixels(extension: string, isProgressive: boolean): number {
  if ((extension === 'png' || extension === 'jpg') && !isProgressive) return MAX_PIXELS
  return Math.min(MAX_PIXELS, Math.floor(MAX_UNFOLDED / (bytesAPixel[extension] ?? OTHER)))
}

const refuse = (message: string) => new ValidationError([{ field: 'file', message }])
