/**
 * Fonts of PDF documents. PT Sans draws what it has; DejaVu Sans Condensed the rest: Greek, boxes and ticks, arrows,
 * gender signs. A character missing in both is drawn as «?», never as an empty box, which would look like a check box.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { composed } from '@ordinator/model/spelling'
import { create, type Font } from 'fontkit'
import type PDFDocument from 'pdfkit'
import type { FieldError } from './errors.ts'

const fontAt = createRequire(import.meta.url).resolve
const faces = {
  regular: ['400Regular/PTSans_400Regular.ttf', 'DejaVuSansCondensed.ttf'],
  italic: ['400Regular_Italic/PTSans_400Regular_Italic.ttf', 'DejaVuSansCondensed-Oblique.ttf'],
  bold: ['700Bold/PTSans_700Bold.ttf', 'DejaVuSansCondensed-Bold.ttf'],
  boldItalic: ['700Bold_Italic/PTSans_700Bold_Italic.ttf', 'DejaVuSansCondensed-BoldOblique.ttf'],
} as const
export type PdfFont = keyof typeof faces

const mainPath = (face: PdfFont): string => fontAt(`@expo-google-fonts/pt-sans/${faces[face][0]}`)
const sparePath = (face: PdfFont): string => fontAt(`dejavu-fonts-ttf/ttf/${faces[face][1]}`)
const spareName = (face: string): string => `${face}-spare`

/** Replaces a character that no font has. */
const UNKNOWN = '?'
/** Not drawn: joiners, direction marks and variation selectors. */
const INVISIBLE = /\p{Cf}|\p{Cc}|\p{Variation_Selector}/u

/** A part of a line drawn in one font. */
export interface FontRun {
  text: string
  spare: boolean
}

const known = new Map<PdfFont, readonly [Font, Font]>()
function pairOf(face: PdfFont): readonly [Font, Font] {
  let pair = known.get(face)
  if (!pair) {
    pair = [mainPath(face), sparePath(face)].map((path) => create(readFileSync(path)) as Font) as unknown as [
      Font,
      Font,
    ]
    known.set(face, pair)
  }
  return pair
}

/** Splits text where the font changes. A combining mark stays with its letter; a full-width form is drawn plain. */
export function runsOf(text: string, face: PdfFont = 'regular'): FontRun[] {
  const [main, spare] = pairOf(face)
  const runs: FontRun[] = []
  const add = (part: string, isSpare: boolean): void => {
    const last = runs.at(-1)
    if (last?.spare === isSpare) last.text += part
    else runs.push({ text: part, spare: isSpare })
  }
  // A tab separates the cells of a pasted row.
  const drawn = composed(text).replaceAll('\t', '    ')
  for (const [letter] of drawn.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const points = [...letter].map((point) => point.codePointAt(0) as number)
    const isIn = (font: Font): boolean =>
      points.every((point) => INVISIBLE.test(String.fromCodePoint(point)) || font.hasGlyphForCodePoint(point))
    const plain = letter.normalize('NFKC')
    if (isIn(main)) add(letter, false)
    else if (isIn(spare)) add(letter, true)
    else if (plain !== letter) runs.push(...runsOf(plain, face))
    else add(UNKNOWN, false)
  }
  return runs
}

/** Characters of the text that no font has, each once. */
export function unprintableLetters(text: string): string[] {
  const [main, spare] = pairOf('regular')
  const has = (letter: string): boolean => {
    const point = letter.codePointAt(0) as number
    return INVISIBLE.test(letter) || main.hasGlyphForCodePoint(point) || spare.hasGlyphForCodePoint(point)
  }
  return [...new Set(text)].filter((letter) => !has(letter) && ![...letter.normalize('NFKC')].every(has))
}

/** Maximum number of characters named in an error. */
const NAMED = 5

/** Errors for characters of a template's text that cannot be printed; empty: all can. */
export function printableErrors(field: string, text: string): FieldError[] {
  const letters = unprintableLetters(text)
  if (letters.length === 0) return []
  const named = letters.slice(0, NAMED).map((letter) => `«${letter}»`)
  return [{ field, message: `Этих знаков нет в шрифте бумаг: ${named.join(', ')}` }]
}

type Doc = InstanceType<typeof PDFDocument>
type TextOptions = PDFKit.Mixins.TextOptions & { lineWidth?: number; textWidth?: number; wordCount?: number }

/** Internals of pdfkit that its types do not declare. */
interface Inner {
  _font: { ascender: number }
  _fontSize: number
  _fragment(text: string, x: number, y: number, options: TextOptions): void
  widthOfString(text: string, options?: TextOptions): number
  font(name: string, size?: number): Inner
}

/** Makes a document switch between PT Sans and its fallback font per character, when drawing and measuring. */
export function addFonts(doc: Doc): void {
  for (const face of Object.keys(faces) as PdfFont[]) {
    doc.registerFont(face, mainPath(face))
    doc.registerFont(spareName(face), sparePath(face))
  }
  const inner = doc as unknown as Inner
  const original = {
    font: inner.font.bind(doc),
    width: inner.widthOfString.bind(doc),
    fragment: inner._fragment.bind(doc),
  }
  let face: PdfFont = 'regular'
  const within = <T>(run: FontRun, act: () => T): T => {
    if (!run.spare) return act()
    original.font(spareName(face))
    try {
      return act()
    } finally {
      original.font(face)
    }
  }
  const isPlain = (runs: readonly FontRun[], text: string): boolean =>
    runs.length === 0 || (runs.length === 1 && !runs[0]?.spare && runs[0]?.text === text)

  inner.font = (name, size) => {
    if (Object.hasOwn(faces, name)) face = name as PdfFont
    original.font(name, size)
    return inner
  }
  inner.widthOfString = (text, options) => {
    const runs = runsOf(String(text), face)
    if (isPlain(runs, String(text))) return original.width(text, options)
    return runs.reduce((sum, run) => sum + within(run, () => original.width(run.text, options)), 0)
  }
  inner._fragment = (text, x, y, options) => {
    const line = String(text).replaceAll('\n', '')
    if (isPlain(runsOf(line, face), line)) return original.fragment(line, x, y, options)
    const { align, width, lineWidth = 0, ...rest } = options
    const own = inner.widthOfString(line.trimEnd(), options)
    const words = line.split(/(?<=\s)(?=\S)/)
    let at = x
    let gap = options.wordSpacing ?? 0
    if (width && align === 'right') at += lineWidth - own
    if (width && align === 'center') at += (lineWidth - own) / 2
    if (width && align === 'justify' && words.length > 1) gap = Math.max(0, (lineWidth - own) / (words.length - 1))
    // All runs share the baseline of the main font.
    const baseline = options.baseline ?? -(inner._font.ascender / 1000) * inner._fontSize
    for (const word of words) {
      for (const run of runsOf(word, face)) {
        const textWidth = within(run, () => original.width(run.text, rest))
        const piece = { ...rest, baseline, wordSpacing: 0, textWidth, wordCount: 1 }
        within(run, () => original.fragment(run.text, at, y, piece as TextOptions))
        at += textWidth
      }
      at += gap
    }
  }
  doc.font('regular')
}
