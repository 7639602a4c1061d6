/** Fills in a template with a record and renders it. */
import { type Evaluated, evaluate, type RecordData } from '@ordinator/model/areas/prints/evaluate'
import type { SayContext } from '@ordinator/model/areas/prints/formats'
import type { Piece } from '@ordinator/model/areas/prints/template'
import { Unprintable } from '#platform/pdf.ts'
import { codesAsPictures } from './codes.ts'
import { marksAsPictures } from './drawMarks.ts'
import { drawPaper, type PrintLook } from './paper.ts'

/** The parts of a document, before they are filled in. */
export interface PrintText {
  body: Piece[]
  header: Piece[]
  footer: Piece[]
}

/** A print job: a template with a record. */
export interface PrintJob {
  text: PrintText
  data: RecordData
  context: SayContext
  /** The clinic's own pictures of examinations, PNG by name. */
  own: Readonly<Record<string, Uint8Array>>
  /** Absent: only the filled-in markup is returned. */
  pdf?: PrintLook
}

export type Printed = { pdf: Uint8Array } | { words: { body: string; header: string; footer: string } }

export async function draw({ text, data, context, own, pdf }: PrintJob): Promise<Printed> {
  const parts: Record<string, string> = {}
  for (const part of ['body', 'header', 'footer'] as const) {
    const one: Evaluated = evaluate(text[part], data, context)
    if ('refused' in one) throw new Unprintable(one.refused)
    parts[part] = one.html
  }
  const words = parts as { body: string; header: string; footer: string }
  if (pdf) return { pdf: new Uint8Array(await drawPaper(words, pdf, own)) }
  const shown = async (html: string) => marksAsPictures(await codesAsPictures(html), own)
  return {
    words: {
      body: await shown(words.body),
      header: await shown(words.header),
      footer: await shown(words.footer),
    },
  }
}
