import { extractTextItems, getDocumentProxy } from 'unpdf'
import { expect, it } from 'vitest'
import { pdfOf } from './pdf.ts'
import { drawBlocks } from './pdfBlocks.ts'
import { blocksOf } from './richBlocks.ts'

/** Lines of a rich text in the PDF, each with its left edge. */
async function linesOn(html: string): Promise<[x: number, words: string][]> {
  const made = await pdfOf({ title: 'Бумага', clinicName: 'Клиника' }, (doc) => drawBlocks(doc, blocksOf(html)))
  const { items } = await extractTextItems(await getDocumentProxy(new Uint8Array(made)))
  const lines = new Map<number, [number, string]>()
  for (const { str, x, y } of items.flat()) {
    const at = Math.round(y)
    const [from, words] = lines.get(at) ?? [Math.round(x), '']
    if (str) lines.set(at, [from, words + str])
  }
  return [...lines.values()].map(([x, words]) => [x, words.replace(/\s+/g, ' ').trim()])
}

it('a break within a paragraph is one on paper, and what follows begins where the first line does', async () => {
  const lines = await linesOn('<p>1. Невус<br>2. <strong>Папулы</strong> рук<br><br>4. Ожог<br></p><p>Дальше</p>')
  expect(lines.map(([, words]) => words)).toEqual(['1. Невус', '2. Папулы рук', '4. Ожог', 'Дальше'])
  expect(new Set(lines.map(([x]) => x)).size).toBe(1)
  const [marker, ...inner] = await linesOn('<ul><li>утром<br>вечером</li></ul>')
  expect([marker?.[1], inner.map(([, words]) => words)]).toEqual(['• утром', ['вечером']])
})
