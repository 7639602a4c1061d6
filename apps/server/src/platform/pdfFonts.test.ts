import { expect, test } from 'vitest'
import { pdfOf } from './pdf.ts'
import { runsOf, unprintableLetters } from './pdfFonts.ts'

/** Characters used in documents of Russian clinics beside Russian: Tatar, Yakut, Kazakh, Greek, boxes, arrows, signs. */
const letters = 'АЯаяЁё ӘәӨөҮүҖҗҢңҺһ ҔҕҤҥ ҒғҚқҰұІі αβγδμωΩ ☐☑☒✓ →←↑↓ ≤≥±µ°♀♂№₽×÷≈ β-ХГЧ, α-фетопротеин, γ-ГТ й'

test('every letter of a paper has a glyph of one of the two fonts', () => {
  expect(unprintableLetters(letters)).toEqual([])
  for (const face of ['regular', 'italic', 'bold', 'boldItalic'] as const)
    expect(
      runsOf(letters, face)
        .map((run) => run.text)
        .join(''),
    ).toBe(letters)
})

test('a line is cut where the font changes, and a mark stays with its letter', () => {
  expect(runsOf('β-ХГЧ ☐ да')).toEqual([
    { text: 'β', spare: true },
    { text: '-ХГЧ ', spare: false },
    { text: '☐', spare: true },
    { text: ' да', spare: false },
  ])
  expect(runsOf('и\u0306').length).toBe(1)
})

test('a letter that no font has is named, and drawn as «?» instead of a box', () => {
  expect(unprintableLetters('Привет 𓀀 и 漢')).toEqual(['𓀀', '漢'])
  expect(unprintableLetters('ＡＢ＜')).toEqual([])
  expect(runsOf('＜')).toEqual([{ text: '<', spare: false }])
  expect(runsOf('漢')).toEqual([{ text: '?', spare: false }])
})

test('glyphs of a paper are read back: an empty box differs from a ticked one, in every alignment', async () => {
  const paper = await pdfOf({ title: 'Проба', clinicName: '', sheet: undefined }, (doc) => {
    for (const align of ['left', 'right', 'center', 'justify'] as const)
      doc.text(`☐ нет ☑ да β-ХГЧ ≤ 5 ${align} ${'слово '.repeat(30)} γ-ГТ`, { align, underline: align === 'left' })
    for (const face of ['bold', 'italic', 'boldItalic'] as const) doc.font(face).text(`${face} α ✓ →`)
  })
  const { extractText } = await import('unpdf')
  const { text } = await extractText(new Uint8Array(paper), { mergePages: true })
  const flat = text.replace(/\s+/g, ' ')
  for (const align of ['left', 'right', 'center', 'justify'])
    expect(flat).toMatch(new RegExp(`β-ХГЧ ≤ 5 ${align} слово`))
  expect(flat.match(/☐ нет ☑ да/g)).toHaveLength(4)
  for (const face of ['bold', 'italic', 'boldItalic']) expect(flat).toContain(`${face} α ✓ →`)
})
