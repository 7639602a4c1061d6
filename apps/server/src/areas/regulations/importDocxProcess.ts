/** Parses a Word document in a separate process: bytes in, `{ read }` or `{ error }` out. */
import mammoth from 'mammoth'
import { answerReading, ReadRefusal } from '#platform/answerReading.ts'
import { checkedZip, packed } from '#platform/zip.ts'
import { codeStyle, quoteStyle, serviceStyle } from './exportDocxStyles.ts'
import { type DocxSteps, imageMark, stepsOf } from './importDocxSteps.ts'

/** Maximum bytes of the unpacked archive, and of its text: its tree takes many times as much. */
const MAX_UNPACKED = 200 * 1024 * 1024
const MAX_TEXT = 30 * 1024 * 1024
const MAX_ENTRIES = 5_000
const MAX_IMAGES = 100

export interface ReadDocx extends DocxSteps {
  /** In the order of their numbers in the steps. */
  images: { bytes: Uint8Array; type: string }[]
}

/** Style names as Word stores them in every language version. */
const styleMap = [
  "p[style-name='Title'] => h1.title:fresh",
  `p[style-name='${serviceStyle}'] => !`,
  `p[style-name='${quoteStyle}'] => blockquote > p:fresh`,
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  `p[style-name='${codeStyle}'] => pre:separator('\\n')`,
  'u => u',
  'highlight => mark',
]

/** Document features that a step does not support, by their XML elements. */
const losses: readonly [RegExp, string][] = [
  [/<w:commentReference\b/, 'Примечания не перенесены'],
  [/<w:(?:ins|del)\s/, 'Исправления считаются принятыми'],
  [/<c:chart\b|<dgm:relIds\b/, 'Диаграммы и схемы не перенесены'],
  [/<m:oMath\b/, 'Формулы не перенесены'],
  [/<w:object\b/, 'Вложенные объекты не перенесены'],
  [/<w:footnoteReference\b|<w:endnoteReference\b/, 'Сноски стоят в конце последнего шага'],
]

answerReading(read)

async function read(file: Buffer): Promise<ReadDocx> {
  if (file.length > 4 && file.readUInt32BE(0) === 0xd0cf11e0)
    throw new ReadRefusal('Это старый документ Word (DOC) или документ под паролем. Сохраните его как DOCX без пароля')
  if (file.subarray(0, 2).toString('latin1') !== 'PK')
    throw new ReadRefusal('Файл не похож на документ Word: нужен DOCX')
  const zip = checkedZip(file, { maxBytes: MAX_UNPACKED, maxEntries: MAX_ENTRIES })
  const main = zip.get('word/document.xml')
  if (!main) throw new ReadRefusal('Файл не похож на документ Word: нужен DOCX')
  // The tree of each text takes many times as much memory.
  for (const [path, bytes] of zip)
    if (/\.(xml|rels)$/i.test(path) && bytes.length > MAX_TEXT)
      throw new ReadRefusal('Файл слишком велик в распакованном виде')
  const text = main.toString('utf8')
  const images: ReadDocx['images'] = []
  let dropped = 0
  const { value } = await mammoth.convertToHtml(
    { buffer: packed(zip) },
    {
      styleMap,
      convertImage: mammoth.images.imgElement(async (image) => {
        if (images.length === MAX_IMAGES) {
          dropped += 1
          return { src: '' }
        }
        images.push({ bytes: await image.readAsBuffer(), type: image.contentType })
        return { src: imageMark(images.length - 1) }
      }),
    },
  )
  const steps = stepsOf(value)
  if (steps.stages.length === 0) throw new ReadRefusal('В документе нет текста')
  if (dropped) steps.warnings.push(`Картинок больше ${MAX_IMAGES}: остальные не перенесены (${dropped})`)
  steps.warnings.push(...lossesOf(text))
  return { ...steps, images }
}

function lossesOf(text: string): string[] {
  return losses.flatMap(([sign, words]) => (sign.test(text) ? [words] : []))
}
