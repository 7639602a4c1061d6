/** A printed consent: its text, and the place for the signature. */
import { drawTitle, housePaper, type Letterhead } from '#platform/letterhead.ts'
import { drawBlocks } from '#platform/pdfBlocks.ts'
import { drawSignature } from '#platform/pdfTable.ts'
import { blocksOf } from '#platform/richBlocks.ts'

interface ConsentPaper {
  name: string
  head: Letterhead
  /** The text, filled in. */
  html: string
  /** Full name. */
  signer: string
}

export const draw = ({ name, head, html, signer }: ConsentPaper) =>
  housePaper({ title: name, head }, (doc) => {
    drawTitle(doc, name, { align: 'center' })
    drawBlocks(doc, blocksOf(html))
    drawSignature(doc, `Подпись: ${signer}`, { dated: true })
  })
